// Turns answers into a benchmark's results: the score of each question, and the tables of a run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/bench/benchmark.h"

namespace fineprint::bench {

// The results of one pipeline.
struct PipelineResult {
  std::string json;         // its entry in results.json
  std::int64_t failed = 0;  // questions with an error or without an answer
};

// Scores FOLDER/answers.jsonl, with FOLDER/judged.jsonl if a judge was asked (judge_answers).
// Writes scores.jsonl and the predictions in the benchmark's own field names into FOLDER. A
// question that failed or has no answer scores 0. If several answers have the same id, the last one
// counts. The same answers give the same files.
PipelineResult score_pipeline(const Dataset& dataset, const BenchmarkData& data,
                              const std::string& pipeline, const std::string& folder);

// Writes OUT/results.json and OUT/results.md: scores with their 95% intervals, costs, the figures
// that papers state, the defects of the data, and what keeps the scores from being comparable with
// the papers'.
void write_results(const std::string& out, const Dataset& dataset, const LoadOptions& options,
                   const BenchmarkData& data, const std::vector<PipelineResult>& results);

// Writes the questions as they were asked, in fineprint's form, to OUT/questions.jsonl. Throws
// Error(usage) if the file exists and contains other questions, unless `force` is set.
void write_questions(const std::string& out, const BenchmarkData& data, bool force);

// The comparison of two folders OUT/PIPELINE, question by question.
struct Comparison {
  std::string json;  // one JSON object
  std::string text;  // for people
};
// Compares the questions that both have scores of. `split` limits them to one group of a split of
// results.json, in A or in B: "rounds=2"; "reflected" means "reflected=true". Empty: all questions.
// Throws Error(input) if there are none, and Error(usage) if no question has such a split.
Comparison compare_pipelines(const std::string& a, const std::string& b,
                             const std::string& split = {});

}  // namespace fineprint::bench
