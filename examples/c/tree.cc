// tree - print the groups and datasets of a file on a disk or a server.
//
//   c++ tree.cc -o tree $(pkg-config --cflags --libs clawh5)
//   ./tree FILE_OR_URL
#include <clawh5.h>

#include <iostream>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

// A failed call becomes an exception with the library's message.
class Call {
public:
    operator clawh5_error *() { return &err_; }
    void operator=(clawh5_status status) {
        if (status != CLAWH5_OK) throw std::runtime_error(err_.message);
    }

private:
    clawh5_error err_;
};

// A handle of a file or an object, closed at the end of its scope.
class Handle {
public:
    Handle() : id_(0) {}
    ~Handle() { clawh5_close(id_, nullptr); }
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    operator clawh5_id() const { return id_; }
    clawh5_id *out() { return &id_; }

private:
    clawh5_id id_;
};

static std::vector<std::string> names(clawh5_id group) {
    Call call;
    std::vector<char> buffer(4096);
    std::size_t length = 0;
    clawh5_status status = clawh5_group_names(group, buffer.data(), buffer.size(), &length, call);
    if (status == CLAWH5_E_SPACE) { // now we know the length
        buffer.resize(length + 1);
        status = clawh5_group_names(group, buffer.data(), buffer.size(), &length, call);
    }
    call = status;
    std::vector<std::string> result;
    for (std::size_t at = 0; at < length; at += result.back().size() + 1) result.emplace_back(&buffer[at]);
    return result;
}

static std::string shape(clawh5_id dataset) {
    Call call;
    int32_t rank = 0;
    uint64_t dims[CLAWH5_MAX_RANK];
    clawh5_type_info type = {};
    type.struct_size = sizeof type;
    call = clawh5_dataset_shape(dataset, &rank, dims, nullptr, call);
    call = clawh5_dataset_type(dataset, &type, call);
    std::string text = rank < 0 ? " empty" : rank == 0 ? " scalar" : " ";
    for (int32_t d = 0; d < rank; d++) text += (d ? " x " : "") + std::to_string(dims[d]);
    return text + ", " + std::to_string(type.size) + " bytes each";
}

// A group may be reached by several links, also from within itself: its
// address tells that it was seen.
static void print(clawh5_id object, const std::string &name, int depth, std::set<uint64_t> &seen) {
    Call call;
    int32_t kind = 0;
    uint64_t address = 0;
    call = clawh5_object_kind(object, &kind, call);
    call = clawh5_object_address(object, &address, call);
    std::cout << std::string(2 * depth, ' ') << name << (kind == CLAWH5_DATASET ? shape(object) : "") << '\n';
    if (kind != CLAWH5_GROUP || !seen.insert(address).second) return;
    for (const std::string &child : names(object)) {
        Handle below;
        if (clawh5_object_open(object, ("./" + child).c_str(), below.out(), call) == CLAWH5_OK)
            print(below, child, depth + 1, seen);
        else
            std::cout << std::string(2 * depth + 2, ' ') << child << " -> nowhere\n";
    }
}

int main(int argc, char **argv) try {
    if (argc != 2) throw std::runtime_error("usage: tree FILE_OR_URL");
    Call call;
    Handle file;
    std::set<uint64_t> seen;
    call = clawh5_open(argv[1], nullptr, file.out(), call);
    print(file, "/", 0, seen);
    char statistics[1024];
    call = clawh5_stats(file, statistics, sizeof statistics, nullptr, call);
    std::cerr << statistics << '\n';
} catch (const std::exception &problem) {
    std::cerr << "tree: " << problem.what() << '\n';
    return 1;
}
