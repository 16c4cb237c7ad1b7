// Runs independent work on all cores, and reacts to interrupts.
#pragma once

#include <cstddef>
#include <functional>

namespace fineprint {

// Returns the number of cores that this process may use, at least 1. Respects CPU affinity and the
// quotas of control groups, because a container often sees all cores of its host.
int usable_cores();

// Calls body(i) for each i in [0, count) on up to `threads` threads, one of which is the caller's,
// and returns when all are done. After an exception no new calls start; the first exception is
// rethrown when the running calls have ended.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);

// Sets the environment so that threads of an OpenMP loop spin for at most about 0.3 ms while they
// wait for each other, and then sleep. With libgomp's default of about 10 ms, spinning threads keep
// a core from the thread they wait for if other programs want the cores too. libgomp reads its
// environment when it is loaded, usually with LibTorch and so after this; if it is loaded already,
// this restarts the program with the same arguments. Does nothing if the user has set
// GOMP_SPINCOUNT or OMP_WAIT_POLICY, or if the program cannot be started. Call it before any input
// is read, because a pipe cannot be read twice, and before other threads start.
void shorten_thread_waits(char** arguments);

// Installs handlers for SIGINT and SIGTERM. The first signal sets the flag that `interrupted`
// returns and says so on stderr; the second ends the process with code 130 at once. SIGPIPE keeps
// its default and ends the process silently.
void watch_interrupts();
// Returns true after the first SIGINT or SIGTERM.
bool interrupted();
// Throws Error(interrupted) if the flag is set. Loops call it between units of work.
void throw_if_interrupted();
// Sets the flag, for tests.
void set_interrupted(bool value);

}  // namespace fineprint
