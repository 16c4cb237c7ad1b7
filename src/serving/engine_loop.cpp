// The turns of the engine: which calls are admitted, prepared, read, called back or put back.
#include "serving/engine_loop.h"

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "serving/step_plan.h"

namespace fineprint::serving {
namespace {

using Clock = std::chrono::steady_clock;

// After this many steps without trouble the limit of a step doubles. Each failed attempt costs a
// whole step, so attempts are rare.
constexpr int kCalmSteps = 32;
// After this many calls ended while none was put back, more calls may be under way.
constexpr int kCalmEnds = 4;
// Pause between attempts to accept calls if there is no memory for their list.
constexpr std::chrono::milliseconds kWithoutMemory{5};

Error too_large(const EngineSequence& sequence) {
  return Error(
      ErrorCode::out_of_memory,
      format("{} tokens do not fit in the model's memory even with no other call under way "
             "({} of them did): use smaller images, fewer pages or more memory",
             sequence.total(), sequence.read()));
}

// Returns a copy of an exception for another run, whose thread may modify its exception.
std::exception_ptr copy_of_error(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return std::make_exception_ptr(Error(known.code(), known.what()));
  } catch (const std::bad_alloc&) {
    return std::make_exception_ptr(std::bad_alloc());
  } catch (const std::exception& other) {
    return std::make_exception_ptr(Error(ErrorCode::internal, other.what()));
  } catch (...) {
    return error;
  }
}

// Returns such a copy, or std::bad_alloc if there is no memory for one.
std::exception_ptr copy_or_bad_alloc(const std::exception_ptr& error) noexcept {
  try {
    return copy_of_error(error);
  } catch (...) {
    return std::make_exception_ptr(std::bad_alloc());
  }
}

}  // namespace

Engine::Loop::Loop(StepNetwork& network, const EngineOptions& options)
    : network_(network),
      options_(options),
      step_tokens_(options.step_tokens),
      places_(static_cast<std::size_t>(std::max(options.sequences, 1))),
      pool_(options.threads) {
  if (options.step_tokens < 1 || options.sequences < 1 || options.threads < 1) {
    throw Error(ErrorCode::internal,
                "an engine needs at least one token, one sequence and one thread");
  }
  thread_ = std::thread([this] { work(); });
}

Engine::Loop::~Loop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  arrived_.notify_one();
  thread_.join();
}

void Engine::Loop::submit(EngineRun& run) {
  {
    const std::lock_guard lock(mutex_);
    inbox_.reserve(inbox_.size() + run.calls.size());
    for (OpenCall& call : run.calls) inbox_.push_back(&call);
  }
  arrived_.notify_one();
}

void Engine::Loop::work() {
  while (collect()) {
    ++turn_;
    try {
      turn();
    } catch (...) {
      fail_all(std::current_exception());
    }
    sweep();
    close_runs();
  }
  fail_all(std::make_exception_ptr(
      Error(ErrorCode::model, "the model was closed while this call was under way")));
  close_runs();
}

// Accepts the calls that have arrived, or leaves them for a later turn if there is no memory for
// them. Sleeps only if there is nothing to do at all.
bool Engine::Loop::collect() {
  std::unique_lock lock(mutex_);
  if (under_way_.empty() && waiting_.empty()) {
    // The limit that earlier calls needed says nothing about the next ones.
    places_ = static_cast<std::size_t>(options_.sequences);
    arrived_.wait(lock, [this] { return stop_ || !inbox_.empty(); });
  }
  try {
    waiting_.insert(waiting_.end(), inbox_.begin(), inbox_.end());
    inbox_.clear();
  } catch (const std::bad_alloc&) {
    if (under_way_.empty()) arrived_.wait_for(lock, kWithoutMemory);
  }
  return !stop_;
}

void Engine::Loop::turn() {
  end_stopped();  // first, so that their memory is free for new calls
  admit();
  refused_ = false;
  bool moved = prepare_some();
  // A call whose tokens are all in a cached state needs no step and goes on in this turn.
  moved = call_back() || moved;
  const std::vector<Planned> parts = plan();
  if (!parts.empty()) {
    take_step(parts);
    call_back();
    moved = true;
  } else if (refused_ && !moved && !under_way_.empty()) {
    make_room();
    moved = true;
  }
  // One idle turn is normal if the call that others wait for has just failed.
  idle_turns_ = moved ? 0 : idle_turns_ + 1;
  if (idle_turns_ > 1 && !under_way_.empty()) {
    throw Error(ErrorCode::internal, "every call under way waits for another one");
  }
}

void Engine::Loop::end_stopped() {
  for (OpenCall* call : under_way_) {
    if (call->call->stop_token.stop_requested()) end(*call);
  }
  for (OpenCall* call : waiting_) {
    if (call->call->stop_token.stop_requested()) end(*call);
  }
  sweep();
}

// Admits no call while one under way lacks memory: otherwise small calls would take it again and
// again and a large call would never get enough.
void Engine::Loop::admit() {
  while (!waiting_.empty() && (under_way_.empty() || (!refused_ && under_way_.size() < places_))) {
    OpenCall* call = waiting_.front();
    under_way_.push_back(call);
    waiting_.pop_front();
    call->admitted = true;
    call->prepare_turn = turn_ - 1;  // after the calls that have waited longer
  }
}

// Prepares at least one unit, and more while that takes less time than the last step did, so that
// generating calls get half of the time. Returns true if anything was done.
bool Engine::Loop::prepare_some() {
  const Clock::time_point start = Clock::now();
  bool moved = false;
  while (OpenCall* call = next_to_prepare()) {
    call->prepare_turn = turn_;
    try {
      const Prepared prepared = network_.prepare(*call->call->sequence);
      call->prepared = prepared == Prepared::ready;
      moved = moved || prepared != Prepared::waits;
    } catch (const std::bad_alloc&) {
      refused_ = true;  // try again later, when there may be more memory
      break;
    } catch (...) {
      fail(*call, std::current_exception());
      moved = true;
    }
    if (moved && Clock::now() - start >= step_time_) break;
  }
  sweep();
  return moved;
}

// Returns the call that has waited longest for preparation, or nullptr if each had its turn.
OpenCall* Engine::Loop::next_to_prepare() {
  OpenCall* found = nullptr;
  for (OpenCall* call : under_way_) {
    if (call->prepared || call->ended || call->prepare_turn == turn_) continue;
    if (!found || call->prepare_turn < found->prepare_turn) found = call;
  }
  return found;
}

// Reserves memory for generating calls first, because they hold the most of it and will return it
// soonest. Then for prompts, the oldest first.
std::vector<Engine::Loop::Planned> Engine::Loop::plan() {
  std::vector<OpenCall*> calls;
  std::vector<ReadingSequence> sequences;
  for (OpenCall* call : under_way_) {
    if (!call->prepared) continue;
    calls.push_back(call);
    const EngineSequence& sequence = *call->call->sequence;
    sequences.push_back({call->unread(), network_.smallest_part(sequence), call->generates,
                         call->step_turn, network_.largest_part(sequence)});
  }
  const std::vector<std::int64_t> counts = share_step(sequences, step_tokens_);
  std::vector<Planned> parts;
  for (const bool few : {true, false}) {
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (counts[i] == 0 || reads_few(sequences[i]) != few || calls[i]->ended) continue;
      if (!reserve(*calls[i], counts[i])) continue;
      // Proposals may have been taken back.
      parts.push_back({calls[i], std::min(counts[i], calls[i]->unread())});
    }
  }
  std::erase_if(parts, [](const Planned& part) { return part.call->ended; });
  sweep();
  return parts;
}

bool Engine::Loop::reserve(OpenCall& call, std::int64_t count) {
  try {
    if (network_.reserve(*call.call->sequence, count)) return true;
    refused_ = true;
  } catch (const std::bad_alloc&) {
    refused_ = true;
  } catch (...) {
    fail(call, std::current_exception());
  }
  return false;
}

void Engine::Loop::take_step(std::span<const Planned> parts) {
  std::vector<StepPart> step;
  step.reserve(parts.size());
  for (const Planned& part : parts) step.push_back({part.call->call->sequence, part.count});
  const Clock::time_point start = Clock::now();
  try {
    network_.step(step);
    step_time_ = Clock::now() - start;
    stepped(parts);
  } catch (const std::bad_alloc&) {
    shrink(parts);
  } catch (...) {
    std::vector<OpenCall*> calls;
    for (const Planned& part : parts) calls.push_back(part.call);
    fail_together(calls, std::current_exception());
  }
  sweep();
}

void Engine::Loop::stepped(std::span<const Planned> parts) {
  for (const Planned& part : parts) part.call->step_turn = turn_;
  if (step_tokens_ < options_.step_tokens && ++calm_steps_ >= kCalmSteps) {
    step_tokens_ = std::min(options_.step_tokens, step_tokens_ * 2);
    calm_steps_ = 0;
  }
}

// The memory that a step needs in addition to the states grows with its tokens, so steps are half
// as large from now on. If a step cannot be smaller, something else must give memory back.
void Engine::Loop::shrink(std::span<const Planned> parts) {
  refused_ = true;
  calm_steps_ = 0;
  std::int64_t tokens = 0;
  for (const Planned& part : parts) tokens += part.count;
  const std::int64_t least = network_.smallest_part(*parts.front().call->call->sequence);
  if (parts.size() == 1 && tokens <= std::max<std::int64_t>(1, least)) {
    make_room();
    return;
  }
  network_.drop_kept();  // freed memory may also spare the next halving
  step_tokens_ = std::max<std::int64_t>(1, std::min(step_tokens_, tokens) / 2);
}

// Runs `next` of all calls without unread tokens. Returns false if there are none. Uses all
// threads, because choosing a token reads the whole vocabulary, and under a schema each of its
// tokens.
bool Engine::Loop::call_back() {
  std::vector<OpenCall*> ready;
  for (OpenCall* call : under_way_) {
    if (call->prepared && call->unread() <= 0) ready.push_back(call);
  }
  pool_.run(ready.size(), [&ready](std::size_t i) {
    try {
      ready[i]->more = ready[i]->call->next();
    } catch (...) {
      ready[i]->error = std::current_exception();
    }
  });
  for (OpenCall* call : ready) {
    if (call->error) {
      fail(*call, std::move(call->error));
    } else if (!call->more) {
      end(*call);
    } else if (call->unread() <= 0) {
      fail(*call,
           std::make_exception_ptr(Error(
               ErrorCode::internal, "a call to the engine continued without appending a token")));
    }
    call->generates = true;
  }
  sweep();
  return !ready.empty();
}

// Called when no call under way can go on. Drops cached states first, because they can be computed
// again. Then puts the youngest call back, because the least work is lost with it.
void Engine::Loop::make_room() {
  if (network_.drop_kept()) return;
  if (under_way_.size() > 1) {
    put_back(*under_way_.back());
    return;
  }
  OpenCall& alone = *under_way_.front();
  fail(alone, std::make_exception_ptr(too_large(*alone.call->sequence)));
}

// The call waits at the front of the queue until one of the others has ended.
void Engine::Loop::put_back(OpenCall& call) {
  network_.release(*call.call->sequence);
  call.admitted = call.prepared = call.generates = false;
  waiting_.push_front(&call);
  under_way_.pop_back();
  places_ = under_way_.size();  // otherwise it would be admitted and put back again at once
  calm_ends_ = 0;
}

// Releases the memory here and not in the caller's thread, so that the next turn can use it.
void Engine::Loop::end(OpenCall& call) {
  if (call.ended) return;
  call.ended = true;
  if (--call.run->open == 0) call.run->next_finished = std::exchange(finished_, call.run);
  if (!call.admitted) return;
  if (++calm_ends_ ==
      kCalmEnds) {  // slowly, by an eighth, because each call put back reads its tokens again
    places_ = std::min(static_cast<std::size_t>(options_.sequences), places_ + 1 + places_ / 8);
    calm_ends_ = 0;
  }
  try {
    network_.release(*call.call->sequence);
  } catch (...) {
    fail(call, std::current_exception());
  }
}

// Ends all calls of the run: its caller gets the error and no replies.
void Engine::Loop::fail(OpenCall& call, std::exception_ptr error) {
  if (!call.run->error) call.run->error = std::move(error);
  for (OpenCall& other : call.run->calls) end(other);
}

void Engine::Loop::fail_together(std::span<OpenCall* const> calls, std::exception_ptr error) {
  for (OpenCall* call : calls) {
    if (call->ended) continue;
    std::exception_ptr next = copy_or_bad_alloc(error);
    fail(*call, std::exchange(error, std::move(next)));
  }
}

// Allocates nothing, because a lack of memory may be the reason for the failure.
void Engine::Loop::fail_all(const std::exception_ptr& error) {
  fail_together(under_way_, copy_or_bad_alloc(error));
  for (OpenCall* call : waiting_) fail_together({&call, 1}, copy_or_bad_alloc(error));
  sweep();
}

void Engine::Loop::sweep() {
  const auto has_ended = [](const OpenCall* call) { return call->ended; };
  std::erase_if(under_way_, has_ended);
  std::erase_if(waiting_, has_ended);
}

// Must be the last action of a turn: afterwards the callers' threads go on and destroy their calls.
void Engine::Loop::close_runs() {
  while (finished_ != nullptr) {
    EngineRun* run = std::exchange(finished_, finished_->next_finished);
    run->close();
  }
}

}  // namespace fineprint::serving
