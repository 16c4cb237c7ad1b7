// The engine's thread and the calls it has under way.
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

// What the engine's thread knows of a call.
struct OpenCall {
  const EngineCall* call = nullptr;
  EngineRun* run = nullptr;
  bool admitted = false;   // is under way, may hold memory
  bool prepared = false;   // nothing comes before reading any more
  bool generates = false;  // its prompt has been read
  bool ended = false;
  std::uint64_t prepare_turn = 0;  // the last in which a unit of it was done
  std::uint64_t step_turn = 0;     // the last in which it read something
  // What `next` came to.
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
  std::size_t open;                    // calls that have not ended; the engine's thread's own
  std::exception_ptr error = nullptr;  // the first
  EngineRun* next_finished = nullptr;  // of a list that takes no memory

 private:
  std::mutex mutex_;
  std::condition_variable closed_;
  bool is_closed_ = false;
};

// One thread drives the network: a step uses all cores as it is, and two at a time would only want
// twice the memory. Callers share the inbox with it and nothing else, so nothing else has a lock.
//
// A turn goes: end whom nobody waits for, let in who fits, prepare some, read one step, call back.
// Memory is not counted beforehand, as only the network knows what a token takes: it is asked for.
// Where it is refused, what is only kept goes first, then the youngest call gives up its place; a
// step that fails for want of it becomes smaller. The oldest call is never put back: one always
// gets on.
class Engine::Loop {
 public:
  Loop(StepNetwork& network, const EngineOptions& options);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  void submit(EngineRun& run);

 private:
  // A part for which memory has been had.
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

  // All below is the engine's thread's own. Both lists are in order of arrival, and everyone under
  // way came before everyone who waits.
  std::vector<OpenCall*> under_way_;
  std::deque<OpenCall*> waiting_;
  EngineRun* finished_ = nullptr;  // the first of a list
  std::uint64_t turn_ = 0;
  std::int64_t step_tokens_;   // at present; less than wished for after want of memory
  int calm_steps_ = 0;         // since step_tokens_ changed
  std::size_t places_;         // for calls at present; fewer after one was put back
  std::size_t calm_ends_ = 0;  // of calls, since places_ changed
  int idle_turns_ = 0;         // one after the other, in which nothing could be done
  bool refused_ = false;       // someone was left out for want of memory in this turn
  std::chrono::steady_clock::duration step_time_{};  // of the last step
  WorkerPool pool_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace fineprint::serving
