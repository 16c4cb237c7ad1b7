// What a run changes about a benchmark: which judge is asked, and which questions.
#include <algorithm>
#include <utility>

#include "fineprint/bench/benchmark.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "bench/datasets/dataset.h"

namespace fineprint::bench {
namespace {

// A question's place in the random order of a seed. It depends on nothing else, so that a larger
// sample contains the smaller ones, whatever the order of the file.
std::string drawn_place(long seed, const std::string& id) {
  return content_hash(format("{} {}", seed, id));
}

}  // namespace

void choose_judge(const Dataset& dataset, std::string_view choice, BenchmarkData* data) {
  if (choice == "binary") data->judge = JudgeKind::binary;
  if (choice == "grade") data->judge = JudgeKind::grade;
  if (choice != "extract" || is_extracting(data->judge)) return;
  if (data->scorer.empty()) {
    throw Error(ErrorCode::usage,
                format("--judge-kind extract: {} has no rules that could compare the extracted "
                       "answers; choose binary or grade",
                       dataset.name));
  }
  data->judge = JudgeKind::extraction;
}

void draw_sample(std::size_t count, long seed, BenchmarkData* data) {
  std::vector<PublishedQuestion>& questions = data->questions;
  if (count > questions.size()) {
    throw Error(ErrorCode::usage, format("--sample {}: there are only {} questions; give a smaller "
                                         "number, or leave it out to ask all",
                                         count, questions.size()));
  }
  data->sample = Sample{questions.size(), seed};
  std::vector<std::string> places;
  for (const PublishedQuestion& one : questions) {
    places.push_back(drawn_place(seed, one.question.id));
  }
  std::vector<std::string> ordered = places;
  std::ranges::sort(ordered);
  std::vector<PublishedQuestion> kept;
  for (std::size_t i = 0; i < places.size() && count > 0; ++i) {
    if (places[i] <= ordered[count - 1]) kept.push_back(std::move(questions[i]));
  }
  questions = std::move(kept);
}

}  // namespace fineprint::bench
