// From answers to a benchmark's figures: what each question scored, and the tables of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/bench/benchmark.h"

namespace fineprint::bench {

// What the answers of one pipeline came to.
struct PipelineResult {
  std::string json;  // its entry in results.json
  std::int64_t failed = 0;
};

// Scores FOLDER/answers.jsonl, by FOLDER/judged.jsonl where a judge was asked (judge_answers), and
// writes scores.jsonl, and the predictions in the benchmark's own
// field names, beside it. A question that failed, or has no answer, scores 0. Of several answers
// with one id the last counts. The same answers give the same files.
PipelineResult score_pipeline(const Dataset& dataset, const BenchmarkData& data,
                              const std::string& pipeline, const std::string& folder);

// Writes OUT/results.json and OUT/results.md: figures with their 95% intervals, what they cost,
// what papers state, what is wrong with the data and what is missing for figures like theirs.
void write_results(const std::string& out, const Dataset& dataset, const LoadOptions& options,
                   const BenchmarkData& data, const std::vector<PipelineResult>& results);

// The questions as they were asked, our records; written to OUT/questions.jsonl. Throws
// Error(usage) where the file is there and holds others, unless `force`.
void write_questions(const std::string& out, const BenchmarkData& data, bool force);

// Two folders OUT/PIPELINE, question by question.
struct Comparison {
  std::string json;  // one object
  std::string text;  // for people
};
// Over the questions that both have scores of. Throws Error(input) where there are none.
Comparison compare_pipelines(const std::string& a, const std::string& b);

}  // namespace fineprint::bench
