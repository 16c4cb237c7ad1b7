// How many may do a thing at a time.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "fineprint/core/stop.h"

namespace fineprint::server {

// Lets so many in; a few more wait in front of it, and the rest are refused. Safe from several
// threads.
class Gate {
 public:
  // `what`: what is done behind it, for messages ("questions").
  Gate(std::string what, int at_once, int waiting);

  // Held while the thing is done.
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

  // Throws Refusal(429) where too many are waiting already, and what throw_if_stopped does.
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
