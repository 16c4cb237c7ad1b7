// A tokenizer that counts words and an embedder that hashes them.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "ingest/encoder_source.h"

namespace fineprint::ingest::testing {

// What a fake encoder was asked to do.
struct Counts {
  std::atomic<int> loads = 0;
  std::atomic<int> texts = 0;
  std::atomic<int> fail_after = 1'000'000;  // texts; then Error(model)
  std::atomic<int> delay_ms = 0;            // of each call
};

// `identity` stands for another model; `counts` must outlive the source.
EncoderSource fake_encoder(Counts& counts, const std::string& identity = "fake");

// The vector that the fake embedder gives a text.
std::vector<float> fake_vector(const std::string& text);

}  // namespace fineprint::ingest::testing
