#include "textflag.h"

// func addLanesSSE2(l *fletcherLanes, data *byte, steps int)
TEXT ·addLanesSSE2(SB), NOSPLIT, $0-24
	MOVQ    l+0(FP), DI
	MOVQ    data+8(FP), SI
	MOVQ    steps+16(FP), CX
	PCMPEQL X0, X0
	PSRLL   $16, X0
	PXOR    X1, X1
	PXOR    X2, X2
	PXOR    X3, X3
	PXOR    X4, X4

loop:
	MOVOU (SI), X5
	MOVOA X5, X6
	PAND  X0, X5
	PSRLL $16, X6
	PADDL X5, X1
	PADDL X6, X2
	PADDL X1, X3
	PADDL X2, X4
	ADDQ  $16, SI
	DECQ  CX
	JNZ   loop
	MOVOU X1, (DI)
	MOVOU X2, 16(DI)
	MOVOU X3, 32(DI)
	MOVOU X4, 48(DI)
	RET
