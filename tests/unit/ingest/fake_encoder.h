// A tokenizer that counts words, and encoders of all kinds that hash what they see.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/core/matrix.h"

#include "ingest/known_encoder.h"

namespace fineprint::ingest::testing {

// What fake encoders were asked to do, and how they are to behave.
struct Counts {
  std::atomic<int> loads = 0;
  std::atomic<int> texts = 0;
  std::atomic<int> text_calls = 0;
  std::atomic<int> pages = 0;
  std::atomic<int> fail_after = 1'000'000;       // texts and pages; then Error(model)
  std::atomic<int> interrupt_after = 1'000'000;  // pages; then the run is interrupted
  std::atomic<int> delay_ms = 0;                 // of each call
  std::atomic<int> calls_at_a_time = 1;
  std::atomic<int> smallest_side = 0;      // Error(input) for pictures narrower than this
  std::mutex mutex;                        // guards the next
  std::vector<std::pair<int, int>> sizes;  // of the pictures seen
};

// SPECs are "", "int8:", "KIND" or "KIND:NAME" ("late:b"); "int8:" is "text:default" and "" is
// "text:float32". Each stands for a model of
// that kind whose hash is its name. `moved` maps a SPEC to another that it holds now, or to
// "nothing". Vectors depend on the name and what is seen; those of "page" look at pages stretched
// to 32 x 32, and "sparse" is a model over pages. `counts` must outlive the function.
FindEncoder fake_encoders(Counts& counts, const std::map<std::string, std::string>& moved = {});

// The vectors that the fake model of this SPEC gives a text, or a picture.
Matrix fake_vectors(const std::string& spec, const std::string& text);
Matrix fake_vectors(const std::string& spec, const Image& picture);

}  // namespace fineprint::ingest::testing
