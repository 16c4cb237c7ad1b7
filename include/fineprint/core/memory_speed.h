// How fast this machine reads memory.
#pragma once

namespace fineprint {

// Bytes a second that `threads` threads read, just now, of memory that no cache holds whole. Takes
// a few tenths of a second and 256 MiB. On machines that others share it changes within seconds.
double memory_bytes_per_second(int threads);

}  // namespace fineprint
