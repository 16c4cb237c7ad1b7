// What keeps a document that attacks its reader inside its worker process.
#pragma once

#include <string>

namespace fineprint::documents {

// Each fact was found in a worker by trying. None can be undone there but the time of the
// processor, which is moved before each page; what a worker does not keep to, the program's clock
// ends. Files can still be read: that is a worker's task. See Reader::isolation.
struct Isolation {
  bool time_limited = false;    // CPU seconds, by the kernel; the program itself watches the clock
  bool memory_limited = false;  // by the kernel; else the worker watches itself (address sanitizer)
  bool no_network = false;      // no new socket of any kind
  bool no_writing = false;      // no file can be made, changed, renamed or removed
  bool no_programs = false;     // no program can be started
  std::string unfiltered;       // why the kernel took no seccomp filter; empty when it did
};

}  // namespace fineprint::documents
