// Turns SIGINT and SIGTERM into a flag that loops check.
#include <atomic>
#include <csignal>
#include <string_view>

#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/threads.h"

namespace fineprint {
namespace {

std::atomic<bool> stop_wanted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the flag is set inside a signal handler");

// Only async-signal-safe calls are allowed here: no allocation, no streams, no log.
extern "C" void on_signal(int) {
  if (stop_wanted.exchange(true)) ::_exit(130);
  constexpr std::string_view kMessage =
      "\ninterrupted: finishing the current write; press again to stop at once\n";
  [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, kMessage.data(), kMessage.size());
}

}  // namespace

void watch_interrupts() {
  struct sigaction action{};
  action.sa_handler = on_signal;
  // Without SA_RESTART, blocked reads would fail with EINTR inside libraries that do not expect it.
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() { return stop_wanted; }

void throw_if_interrupted() {
  if (interrupted()) throw Error(ErrorCode::interrupted, "interrupted");
}

void set_interrupted(bool value) { stop_wanted = value; }

}  // namespace fineprint
