// Serves calls from many threads with one network: what they have to read is put together into
// steps. Free of LibTorch.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "fineprint/core/stop.h"

namespace fineprint::serving {

// Tokens that are read one after the other: a prompt, then what is generated. The network's own
// class holds the tokens, their state and the logits after the last of them. The engine's thread
// changes `read`; the call's `next` may append tokens.
class EngineSequence {
 public:
  virtual ~EngineSequence() = default;
  virtual std::int64_t total() const = 0;  // tokens there are
  virtual std::int64_t read() const = 0;   // of these, in the state
};

// The next `count` unread tokens of a sequence.
struct StepPart {
  EngineSequence* sequence = nullptr;
  std::int64_t count = 0;
};

enum class Prepared {
  ready,  // nothing is left to do before reading
  more,   // a unit was done, others follow
  waits,  // for another sequence under way, which reads what this one can use; nothing was done
};

// What the engine has a network do. Called by one thread at a time.
class StepNetwork {
 public:
  virtual ~StepNetwork() = default;
  // One unit of the work that comes before reading (one image through the tower, a state found in
  // a cache, which raises `read`). Begun anew after a `release` that puts a call back. Throws what
  // ends this call; std::bad_alloc: not enough memory at present, nothing has changed.
  virtual Prepared prepare(EngineSequence& sequence) = 0;
  // The smallest number of unread tokens that may be read in one piece: all of them for a prompt
  // that sees itself both ways, else 1.
  virtual std::int64_t smallest_part(const EngineSequence& sequence) const = 0;
  // How many unread tokens at most may be read in one piece: up to the next border, at which the
  // state is kept as it is there. At least as many as `smallest_part`.
  virtual std::int64_t largest_part(const EngineSequence& sequence) const = 0;
  // Memory for the next `count` tokens. false, or std::bad_alloc: there is not enough at present,
  // nothing has changed. Other exceptions end this call. What was reserved and not read, as a step
  // failed, is asked for again, perhaps for fewer tokens.
  virtual bool reserve(EngineSequence& sequence, std::int64_t count) = 0;
  // Gives the sequence's memory back; all its tokens count as unread again. Also called for every
  // call that ends, before `run` returns: who wants to keep the state copies it in `next`.
  virtual void release(EngineSequence& sequence) = 0;
  // Gives back memory that is kept only because it may be of use. false: there was none.
  virtual bool drop_kept() = 0;
  // Reads the parts, for which `reserve` has said yes; afterwards each sequence that has been read
  // to its end holds the logits of its next token. When it throws, no sequence has changed;
  // std::bad_alloc means that fewer tokens at a time may succeed.
  virtual void step(std::span<const StepPart> parts) = 0;
};

struct EngineOptions {
  std::int64_t step_tokens = 2048;  // read at most in one step, unless one part must be longer
  int sequences = 64;               // under way at a time; further calls wait their turn
  int threads = 1;                  // on which the calls' `next` run between steps
};

// A call: one sequence and what to do whenever all its tokens have been read.
struct EngineCall {
  EngineSequence* sequence = nullptr;
  // Looks at the logits and either appends tokens and returns true, or returns false: done. What
  // it throws ends this call. May run on any thread, never twice at once for one call and never
  // beside the network; must not call `run`.
  std::function<bool()> next;
  StopToken stop_token = {};  // looked at before each step
};

// Every step first takes one token of each sequence that generates, then shares what is left of
// `step_tokens` evenly among prompts, the oldest first; nobody reads over a border. Calls whose
// memory cannot be had wait until others end; when nobody else is left to wait for, kept memory is
// dropped, then the youngest call is put back (its tokens are read again later), and only a call
// that is alone and still does not fit fails. Safe to call from many threads.
class Engine {
 public:
  Engine(StepNetwork& network, const EngineOptions& options);
  // Calls that are still under way fail.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Returns when all calls are done or stopped (each `stop_token` tells which). Rethrows what
  // the network or `next` threw for one of them, the others of this run ended first (of several
  // runs that one exception ends, the others get an Error that says the same); throws Error(model)
  // for a call that cannot fit in memory even alone.
  void run(std::span<const EngineCall> calls);

 private:
  class Loop;
  std::unique_ptr<Loop> loop_;
};

}  // namespace fineprint::serving
