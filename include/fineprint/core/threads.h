// Running independent work on all cores, and being asked to stop.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>

namespace fineprint {

// Cores that this process may use (affinity and cgroup respected), at least 1.
int usable_cores();

// Calls body(i) for each i in [0, count) on up to `threads` threads (the caller's is one of them)
// and returns when all are done. The first exception thrown is rethrown, after the others ended.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);

// Installs SIGINT and SIGTERM handlers: the first sets the flag below and says so on stderr, the
// second ends the process with 130 at once. SIGPIPE is left to kill the process quietly.
void watch_interrupts();
bool interrupted();
// The flag itself, for long calls that look at it now and then.
const std::atomic<bool>& interrupt_flag();
// Throws Error(interrupted) if the flag is set. Loops call this between units of work.
void throw_if_interrupted();
// For tests.
void set_interrupted(bool value);

}  // namespace fineprint
