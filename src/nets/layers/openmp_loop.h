/* Runs a function on every thread of LibTorch's pool. A source in C, because LibTorch's threads are
 * libgomp's: clang's OpenMP would bring a second pool, which competes with the first for the same
 * cores, so this file is compiled by the system's C compiler whatever compiles the rest. */
#ifndef FINEPRINT_NETS_LAYERS_OPENMP_LOOP_H
#define FINEPRINT_NETS_LAYERS_OPENMP_LOOP_H

#ifdef __cplusplus
extern "C" {
#endif

typedef void (*fineprint_thread_body)(void* state, int thread, int threads);

/* Calls body(state, thread, threads) once for each thread of the pool and returns when all are
 * done. body must not throw. */
void fineprint_on_openmp_threads(fineprint_thread_body body, void* state);

#ifdef __cplusplus
}
#endif

#endif
