// Calls to an engine over a network of integers, and what a run of them threw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/serving/engine.h"

#include "support/fake_step_network.h"

namespace fineprint::tests {

// Sequences that generate `count` tokens each, run as one.
struct Batch {
  std::vector<FakeSequence> sequences;
  std::int64_t count;

  Batch(std::size_t calls, std::int64_t prompt, std::int64_t count_) : count(count_) {
    for (std::size_t i = 0; i < calls; ++i) sequences.push_back(make_sequence(prompt, i));
  }
  std::vector<serving::EngineCall> calls() {
    std::vector<serving::EngineCall> made;
    for (FakeSequence& sequence : sequences) {
      made.push_back({&sequence, generates(sequence, count), {}});
    }
    return made;
  }
  void expect_right() const {
    for (const FakeSequence& sequence : sequences) {
      EXPECT_EQ(sequence.tokens,
                alone(make_sequence(sequence.prompt, sequence.id, sequence.units), count));
    }
  }
};

// What a run threw.
inline std::string failure(serving::Engine& engine, const std::vector<serving::EngineCall>& calls) {
  try {
    engine.run(calls);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace fineprint::tests
