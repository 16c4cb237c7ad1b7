// Serves calls from many threads with one network by joining their tokens into steps. Does not use
// LibTorch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "fineprint/core/stop.h"

namespace fineprint::serving {

// The tokens of one call: a prompt, then the generated tokens. The network's subclass holds the
// tokens, their attention state, and the logits after the last token. Only the network changes
// `read`, and the `next` function of the call, which may also append tokens. The last tokens may be
// proposals: the network may then take them back, which lowers `total`, and `next` says how many of
// them hold.
class EngineSequence {
 public:
  virtual ~EngineSequence() = default;
  virtual std::int64_t total() const = 0;  // tokens so far
  virtual std::int64_t read() const = 0;   // how many of them have been read
};

// A part of a step: the next `count` unread tokens of a sequence.
struct StepPart {
  EngineSequence* sequence = nullptr;
  std::int64_t count = 0;
};

// What StepNetwork::prepare did.
enum class Prepared {
  ready,  // nothing is left to do; reading may begin
  more,   // one unit was done, others follow
  waits,  // nothing was done: another sequence is reading what this one can use
};

// The operations of a network that the engine needs. Never called by two threads at once.
class StepNetwork {
 public:
  virtual ~StepNetwork() = default;
  // Does one unit of the work that comes before reading. For example, it encodes one image, or
  // finds a cached state, which raises `read`. It starts again after a `release` that puts the call
  // back. Throws std::bad_alloc if there is not enough memory at present; nothing has changed then.
  // Any other exception ends the call.
  virtual Prepared prepare(EngineSequence& sequence) = 0;
  // Returns the smallest number of unread tokens that may be read in one piece: all of them for a
  // prompt with bidirectional attention, else 1.
  virtual std::int64_t smallest_part(const EngineSequence& sequence) const = 0;
  // Returns the largest number of unread tokens that may be read in one piece: up to the next fork
  // point, because the state there is kept. At least `smallest_part`.
  virtual std::int64_t largest_part(const EngineSequence& sequence) const = 0;
  // Allocates memory for the next `count` tokens. Returns false, or throws std::bad_alloc, if there
  // is not enough at present; nothing has changed then. Other exceptions end the call. If a step
  // fails, the same tokens are reserved again, perhaps fewer of them. Proposals may be taken back
  // here, so that the others fit.
  virtual bool reserve(EngineSequence& sequence, std::int64_t count) = 0;
  // Gives the sequence's memory back; all of its tokens count as unread again. The engine also
  // calls it for every call that ends, before `run` returns. To keep the state, copy it in `next`.
  virtual void release(EngineSequence& sequence) = 0;
  // Gives back memory that is only cached. Returns false if there was none.
  virtual bool drop_kept() = 0;
  // Reads the parts, for which `reserve` returned true. Afterwards each sequence without unread
  // tokens holds the logits of its next token. If it throws, no sequence has changed;
  // std::bad_alloc means that fewer tokens may succeed.
  virtual void step(std::span<const StepPart> parts) = 0;
};

// Limits of an engine. All must be at least 1.
struct EngineOptions {
  std::int64_t step_tokens = 2048;  // most tokens of one step, unless a single part must be longer
  int sequences = 64;               // most calls under way at a time; further calls wait
  int threads = 1;                  // threads that run the calls' `next` between steps
};

// A call: one sequence, and a function that runs whenever all of its tokens have been read.
struct EngineCall {
  EngineSequence* sequence = nullptr;
  // Reads the logits. Appends tokens and returns true, or returns false if the reply is complete.
  // An exception ends the call. May run on any thread, but never twice at once for one call and
  // never while the network runs. Must not call `run`.
  std::function<bool()> next;
  StopToken stop_token = {};  // checked before each step
};

// Runs calls in steps. Each step first takes one token of every sequence that generates. It then
// shares the rest of `step_tokens` evenly among the prompts, the oldest first. No part crosses a
// fork point.
//
// Calls that cannot get memory wait until others end. If nobody is left to wait for, the engine
// drops cached memory. Then it puts the youngest call back, whose tokens are read again later. A
// call fails only if it does not fit although it is the only one. Thread-safe.
class Engine {
 public:
  // Starts the engine's thread. `network` must outlive the engine.
  Engine(StepNetwork& network, const EngineOptions& options);
  // Fails the calls that are still under way with Error(model).
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Blocks until all calls have completed or were stopped; each `stop_token` says which. If the
  // network or `next` throws for one of them, the other calls of this run end first and `run`
  // throws the same exception. If one exception ends several runs, all but one get an Error with
  // the same message. Throws Error(out_of_memory) if a call does not fit in memory even alone.
  void run(std::span<const EngineCall> calls);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace fineprint::serving
