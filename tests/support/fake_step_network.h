// A network of integers for tests of the engine: its state is a hash chain over the tokens read, so
// that a token lost, read twice or read by another shows in everything that is generated after it.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "fineprint/serving/block_table.h"
#include "fineprint/serving/engine.h"

namespace fineprint::tests {

inline std::uint64_t chain(std::uint64_t state, std::int64_t token) {
  state = (state ^ static_cast<std::uint64_t>(token)) * 0x9E3779B97F4A7C15ULL;
  return state ^ state >> 29;
}

struct FakeSequence : serving::EngineSequence {
  std::vector<std::int64_t> tokens;
  std::int64_t units = 0;                 // of work before reading
  bool both_ways = false;                 // the prompt is read in one piece
  std::int64_t prompt = 0;                // tokens of it
  std::vector<std::int64_t> fork_points;  // ascending: nothing is read over one of them
  std::int64_t tokens_read = 0;
  std::int64_t units_done = 0;
  bool is_prepared = false;
  const FakeSequence* after = nullptr;  // waits while that one reads its prompt
  std::uint64_t state = 0;
  std::uint64_t id = 0;  // for a network's log
  std::unique_ptr<serving::BlockTable> blocks;

  std::int64_t total() const override { return static_cast<std::int64_t>(tokens.size()); }
  std::int64_t read() const override { return tokens_read; }
};

inline FakeSequence make_sequence(std::int64_t prompt, std::uint64_t seed, std::int64_t units = 0,
                                  bool both_ways = false) {
  FakeSequence made;
  for (std::int64_t i = 0; i < prompt; ++i) {
    made.tokens.push_back(static_cast<std::int64_t>(chain(seed, i) % 50000));
  }
  made.units = units;
  made.both_ways = both_ways;
  made.prompt = prompt;
  made.id = seed;
  return made;
}

// Appends `count` tokens, `at_a_time` at once, each decided by everything read so far.
inline std::function<bool()> generates(FakeSequence& sequence, std::int64_t count,
                                       std::int64_t at_a_time = 1) {
  return [&sequence, count, at_a_time] {
    if (sequence.total() - sequence.prompt >= count) return false;
    std::uint64_t state = sequence.state;
    for (std::int64_t i = 0; i < at_a_time; ++i) {
      state = chain(state, -1 - i);
      sequence.tokens.push_back(static_cast<std::int64_t>(state % 50000));
    }
    return true;
  };
}

// What the call leaves behind when nothing stands between it and the network.
inline std::vector<std::int64_t> alone(FakeSequence sequence, std::int64_t count,
                                       std::int64_t at_a_time = 1) {
  const auto next = generates(sequence, count, at_a_time);
  do {
    for (; sequence.tokens_read < sequence.total(); ++sequence.tokens_read) {
      sequence.state =
          chain(sequence.state, sequence.tokens[static_cast<std::size_t>(sequence.tokens_read)]);
    }
  } while (next());
  return sequence.tokens;
}

// Any rule of serving::StepNetwork that the engine breaks ends as an exception of its calls.
struct FakeNetwork : serving::StepNetwork {
  static constexpr std::int64_t kBlock = 4;  // tokens

  explicit FakeNetwork(std::int64_t memory_blocks = 1 << 20)
      : left(memory_blocks),
        pool(std::make_shared<serving::BlockPool>(1, [this](std::int64_t blocks) {
          if (blocks > left) return false;
          left -= blocks;
          return true;
        })) {}

  struct Part {
    std::uint64_t id;
    std::int64_t count;
  };

  std::int64_t left;  // blocks that the pool may still grow by
  std::shared_ptr<serving::BlockPool> pool;
  std::vector<std::unique_ptr<serving::BlockTable>> kept;
  std::vector<std::vector<Part>> log;        // of each step, its parts
  std::vector<std::uint64_t> prepared;       // ids, in order
  std::vector<std::size_t> prepared_before;  // the step that each was followed by
  std::int64_t releases = 0;
  std::atomic<int> inside = 0;
  // Called before each; may throw, or return true to say: no memory.
  std::function<bool(FakeSequence&)> on_reserve = [](FakeSequence&) { return false; };
  std::function<void(FakeSequence&)> on_prepare = [](FakeSequence&) {};
  std::function<void(std::span<const serving::StepPart>)> on_step =
      [](std::span<const serving::StepPart>) {};

  // One thread at a time.
  struct Inside {
    explicit Inside(std::atomic<int>& count) : count_(count) {
      if (count_.fetch_add(1) != 0) std::terminate();
    }
    ~Inside() { --count_; }
    std::atomic<int>& count_;
  };

  static FakeSequence& own(serving::EngineSequence& sequence) {
    return static_cast<FakeSequence&>(sequence);
  }
  static void require(bool holds, const char* rule) {
    if (!holds) throw std::logic_error(std::string("the engine broke a rule: ") + rule);
  }

  // Kept memory of `blocks`.
  void keep(std::int64_t blocks) {
    kept.push_back(std::make_unique<serving::BlockTable>(pool, kBlock));
    require(kept.back()->reserve(0, blocks * kBlock, nullptr), "room for what is kept");
  }

  serving::Prepared prepare(serving::EngineSequence& sequence) override {
    const Inside here(inside);
    FakeSequence& mine = own(sequence);
    require(!mine.is_prepared, "what is prepared is left alone");
    const FakeSequence* other = mine.after;
    if (other && other->is_prepared && other->tokens_read < other->prompt) {
      return serving::Prepared::waits;
    }
    on_prepare(mine);
    prepared.push_back(mine.id);
    prepared_before.push_back(log.size());
    if (mine.units_done < mine.units) ++mine.units_done;
    mine.is_prepared = mine.units_done == mine.units;
    return mine.is_prepared ? serving::Prepared::ready : serving::Prepared::more;
  }

  std::int64_t smallest_part(const serving::EngineSequence& sequence) const override {
    const auto& mine = static_cast<const FakeSequence&>(sequence);
    return mine.both_ways && mine.tokens_read < mine.prompt ? mine.prompt - mine.tokens_read : 1;
  }

  std::int64_t largest_part(const serving::EngineSequence& sequence) const override {
    const auto& mine = static_cast<const FakeSequence&>(sequence);
    const auto next = std::ranges::upper_bound(mine.fork_points, mine.tokens_read);
    return (next == mine.fork_points.end() ? mine.total() : *next) - mine.tokens_read;
  }

  bool reserve(serving::EngineSequence& sequence, std::int64_t count) override {
    const Inside here(inside);
    FakeSequence& mine = own(sequence);
    require(count >= 1 && count <= mine.total() - mine.tokens_read, "reserved are unread tokens");
    if (on_reserve(mine)) return false;
    if (!mine.blocks) mine.blocks = std::make_unique<serving::BlockTable>(pool, kBlock);
    return mine.blocks->reserve(mine.tokens_read, mine.tokens_read + count, nullptr);
  }

  void release(serving::EngineSequence& sequence) override {
    const Inside here(inside);
    FakeSequence& mine = own(sequence);
    ++releases;
    mine.blocks.reset();
    mine.is_prepared = false;
    mine.tokens_read = 0;
    mine.state = 0;
  }

  bool drop_kept() override {
    const Inside here(inside);
    if (kept.empty()) return false;
    kept.pop_back();
    return true;
  }

  void step(std::span<const serving::StepPart> parts) override {
    const Inside here(inside);
    std::set<serving::EngineSequence*> seen;
    std::vector<Part> steps;
    for (const serving::StepPart& part : parts) {
      FakeSequence& mine = own(*part.sequence);
      require(seen.insert(&mine).second, "a sequence is in a step once");
      require(mine.is_prepared, "what is read has been prepared");
      require(part.count >= 1 && part.count <= mine.total() - mine.tokens_read, "unread tokens");
      require(part.count >= smallest_part(mine), "no part under the smallest");
      require(part.count <= largest_part(mine), "no part over a fork point");
      require(mine.blocks && mine.blocks->room() >= mine.tokens_read + part.count, "reserved");
      steps.push_back({mine.id, part.count});
    }
    on_step(parts);
    log.push_back(std::move(steps));
    for (const serving::StepPart& part : parts) {
      FakeSequence& mine = own(*part.sequence);
      for (std::int64_t i = 0; i < part.count; ++i) {
        mine.state = chain(mine.state, mine.tokens[static_cast<std::size_t>(mine.tokens_read++)]);
      }
    }
  }
};

}  // namespace fineprint::tests
