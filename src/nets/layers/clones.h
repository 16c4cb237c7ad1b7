// Compiles a function for several instruction sets; the loader picks the best one for the
// processor.
#pragma once

#if defined(__x86_64__)
#define FINEPRINT_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FINEPRINT_CLONES
#endif
