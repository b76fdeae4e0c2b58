/* The host's signal handlers stay, and act while a call blocks. */
#include "check.h"

#include <signal.h>

static volatile sig_atomic_t interrupted;

static void interrupt(int signal) { interrupted = signal; }

static void handler_stays(int signal, void (*handler)(int)) {
    struct sigaction now;
    CHECK(sigaction(signal, NULL, &now) == 0);
    CHECK(now.sa_handler == handler);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    const int defaults[] = {SIGCHLD, SIGPROF, SIGTERM, SIGALRM, SIGHUP, SIGUSR1, SIGUSR2};
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) handler_stays(defaults[i], SIG_DFL);
    struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_ONSTACK};
    CHECK(sigaction(SIGINT, &action, NULL) == 0);

    clawh5_id file = open_file(argv, "layouts_latest.h5"), op = 0;
    int32_t done = 1;
    OK(clawh5_open_start(argv[2], NULL, &op, &err));
    CHECK(kill(getpid(), SIGINT) == 0);
    OK(clawh5_op_wait(op, 50, &done, &err));
    CHECK(done == 0 && interrupted == SIGINT);
    OK(clawh5_op_free(op, &err));
    close_handle(file);

    handler_stays(SIGINT, interrupt);
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++) handler_stays(defaults[i], SIG_DFL);
    return finish();
}
