// Keeps writes to a lost connection from ending the process.
#pragma once

#include <csignal>

namespace fineprint {

// Blocks SIGPIPE in this thread while it lives: writing to a connection that the other side closed
// is then an error and does not kill the process. OpenSSL writes a closing message even to a lost
// connection. Threads that start meanwhile inherit the blocked signal.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const timespec at_once{};
    if (sigismember(&before_, SIGPIPE) == 0) {
      while (sigtimedwait(&pipe_, nullptr, &at_once) == SIGPIPE) {
      }
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  sigset_t pipe_, before_;
};

}  // namespace fineprint
