// The engine's thread and the calls that it has under way.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "fineprint/serving/engine.h"

#include "serving/worker_pool.h"

namespace fineprint::serving {

struct EngineRun;

// The state of a call in the engine's thread.
struct OpenCall {
  const EngineCall* call = nullptr;
  EngineRun* run = nullptr;
  bool admitted = false;   // is under way, may hold memory
  bool prepared = false;   // nothing is left to do before reading
  bool generates = false;  // its prompt has been read
  bool ended = false;
  std::uint64_t prepare_turn = 0;  // the last turn that did a unit of its preparation
  std::uint64_t step_turn = 0;     // the last turn in which it read something
  // The results of `next`.
  bool more = false;
  std::exception_ptr error = nullptr;

  std::int64_t unread() const { return call->sequence->total() - call->sequence->read(); }
};

// The calls of one Engine::run, on the stack of the thread that waits for them.
struct EngineRun {
  explicit EngineRun(std::span<const EngineCall> wanted);
  // Blocks until the engine's thread has closed it.
  void wait();
  void close();

  std::vector<OpenCall> calls;
  std::size_t open;                    // calls that have not ended; only for the engine's thread
  std::exception_ptr error = nullptr;  // the first error of any call
  EngineRun* next_finished = nullptr;  // an intrusive list, so that ending a run needs no memory

 private:
  std::mutex mutex_;
  std::condition_variable closed_;
  bool is_closed_ = false;
};

// One thread drives the network, because a single step already uses all cores and two at a time
// would only need twice the memory. Callers share nothing with it but the inbox, so only the inbox
// has a lock.
//
// A turn ends calls that were stopped, admits calls that fit, prepares some, reads one step, and
// runs the calls' `next`. Memory is not counted in advance, because only the network knows what a
// token takes; the engine asks for it. If it is refused, cached states are dropped first, then the
// youngest call is put back. If a step runs out of memory, later steps are smaller. The oldest call
// is never put back, so that at least one always makes progress.
class Engine::Loop {
 public:
  Loop(StepNetwork& network, const EngineOptions& options);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void submit(EngineRun& run);

 private:
  // A part of the next step whose memory is reserved.
  struct Planned {
    OpenCall* call;
    std::int64_t count;
  };

  void work();
  bool collect();
  void turn();
  void end_stopped();
  void admit();
  bool prepare_some();
  OpenCall* next_to_prepare();
  std::vector<Planned> plan();
  bool reserve(OpenCall& call, std::int64_t count);
  void take_step(std::span<const Planned> parts);
  void stepped(std::span<const Planned> parts);
  void shrink(std::span<const Planned> parts);
  bool call_back();
  void make_room();
  void put_back(OpenCall& call);
  void end(OpenCall& call);
  void fail(OpenCall& call, std::exception_ptr error);
  void fail_together(std::span<OpenCall* const> calls, std::exception_ptr error);
  void fail_all(const std::exception_ptr& error);
  void sweep();
  void close_runs();

  StepNetwork& network_;
  const EngineOptions options_;

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::vector<OpenCall*> inbox_;
  bool stop_ = false;

  // Everything below belongs to the engine's thread. Both lists are in order of arrival, and every
  // call under way arrived before every waiting one.
  std::vector<OpenCall*> under_way_;
  std::deque<OpenCall*> waiting_;
  EngineRun* finished_ = nullptr;  // head of an intrusive list
  std::uint64_t turn_ = 0;
  std::int64_t step_tokens_;  // current limit; lower than the option after a step ran out of memory
  int calm_steps_ = 0;        // successful steps since step_tokens_ changed
  std::size_t places_;        // current limit of calls under way; lower after one was put back
  std::size_t calm_ends_ = 0;  // calls that ended since places_ changed
  int idle_turns_ = 0;         // consecutive turns in which nothing could be done
  bool refused_ = false;       // a call did not get memory in this turn
  std::chrono::steady_clock::duration step_time_{};  // of the last step
  WorkerPool pool_;
  std::thread thread_;  // last, because it uses everything above
};

}  // namespace fineprint::serving
