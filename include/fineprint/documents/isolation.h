// Which attacks by a document cannot leave its document worker.
#pragma once

#include <string>

namespace fineprint::documents {

// Each fact was found by trying it in a worker. A worker cannot undo any of these limits, except
// the CPU time, which is moved forward before each page; if a worker ignores that limit, the
// program ends it by the clock. See DocumentWorkers::isolation.
struct Isolation {
  bool time_limited = false;  // CPU seconds, by the kernel; the program itself watches the clock
  // by the kernel; if false, the worker watches itself (address sanitizer)
  bool memory_limited = false;
  bool no_network = false;   // no new socket of any kind
  bool no_writing = false;   // no file can be created, changed, renamed or removed
  bool no_programs = false;  // no program can be started
  bool no_reading = false;   // no file can be opened, except libraries and OCR languages
  std::string unfiltered;    // why the kernel refused the seccomp filter; empty if it accepted it
};

}  // namespace fineprint::documents
