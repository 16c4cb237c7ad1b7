// Functions compiled for several instruction sets, of which the processor's best one is called.
#pragma once

#if defined(__x86_64__)
#define FINEPRINT_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FINEPRINT_CLONES
#endif
