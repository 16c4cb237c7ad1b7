// Limits how many requests do something at the same time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "fineprint/core/stop.h"

namespace fineprint::server {

// Lets a number of requests in. A few more wait, and the rest are refused. Safe to use from several
// threads.
class Gate {
 public:
  // `what` names the requests in messages, for example "questions".
  Gate(std::string what, int at_once, int waiting);

  // A place inside. Held while the work is done.
  class Pass {
   public:
    explicit Pass(Gate& gate) : gate_(&gate) {}
    ~Pass();
    Pass(Pass&& other) noexcept : gate_(other.gate_) { other.gate_ = nullptr; }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    Pass& operator=(Pass&&) = delete;

   private:
    Gate* gate_;
  };

  // Waits for a place. Throws Refusal(429) if too many wait already, and what throw_if_stopped
  // throws.
  Pass enter(const StopToken& stop);

  struct Load {
    int inside = 0, waiting = 0;
  };
  Load load() const;

 private:
  void leave();

  const std::string what_;
  const int at_once_, most_waiting_;
  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable left_;
  Load load_;
};

}  // namespace fineprint::server
