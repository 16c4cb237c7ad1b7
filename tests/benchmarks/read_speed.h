// How fast this machine reads memory just now. On machines that others share it changes within
// seconds, so it is taken right beside what is compared with it.
#pragma once

// GB/s of a plain read (plain_read.h) by `threads` threads of 1 GiB that no cache holds, four times
// over. Its first call sets that memory up. C, as it is a library of its own: peers written in
// Python call it too.
extern "C" double fineprint_read_gb_per_s(int threads);
