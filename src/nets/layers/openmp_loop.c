#include "nets/layers/openmp_loop.h"

#include <omp.h>

void fineprint_on_openmp_threads(fineprint_thread_body body, void* state) {
#pragma omp parallel
  body(state, omp_get_thread_num(), omp_get_num_threads());
}
