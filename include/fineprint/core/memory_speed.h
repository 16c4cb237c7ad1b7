// Measures how fast this machine reads memory.
#pragma once

namespace fineprint {

// Returns the bytes per second that `threads` threads read at this moment, from an array too large
// for any cache; 0 if the clock does not advance. Takes a few tenths of a second and 256 MiB. On
// shared machines the result changes within seconds.
double memory_bytes_per_second(int threads);

}  // namespace fineprint
