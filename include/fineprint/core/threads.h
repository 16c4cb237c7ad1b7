// Running independent work on all cores, and being asked to stop.
#pragma once

#include <cstddef>
#include <functional>

namespace fineprint {

// Cores that this process may use (affinity and cgroup respected), at least 1.
int usable_cores();

// Calls body(i) for each i in [0, count) on up to `threads` threads (the caller's is one of them)
// and returns when all are done. The first exception thrown is rethrown, after the others ended.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);

// Starts this program anew, with the same arguments, so that the threads of an OpenMP loop wait for
// each other by spinning for some 0.3 ms at most, then sleep. libgomp's default, some 10 ms, keeps
// a core from the very thread that is waited for when other programs want the cores too. There is
// no call for it: libgomp reads its environment while the program is loaded. Does nothing where
// the user has said how to wait (GOMP_SPINCOUNT, OMP_WAIT_POLICY) or the program cannot be started.
// To be called before anything is read: a pipe has nothing for a second reader.
void shorten_thread_waits(char** arguments);

// Installs SIGINT and SIGTERM handlers: the first sets the flag below and says so on stderr, the
// second ends the process with 130 at once. SIGPIPE is left to kill the process quietly.
void watch_interrupts();
bool interrupted();
// Throws Error(interrupted) if the flag is set. Loops call this between units of work.
void throw_if_interrupted();
// For tests.
void set_interrupted(bool value);

}  // namespace fineprint
