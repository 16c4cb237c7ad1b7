// Answers beside their questions, and what each scored.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/bench/evaluate.h"

#include "bench/datasets/dataset.h"
#include "bench/rules.h"

namespace fineprint::bench {

// The answer of every question, in their order; one with an empty id where there is none.
std::vector<Answer> answers_in_order(const BenchmarkData& data, const std::vector<Answer>& answers);

// `answers` are in the order of the questions, and must outlive them. Where a judge has extracted
// short answers, these are what is compared.
std::vector<GivenAnswer> given_answers(const BenchmarkData& data,
                                       const std::vector<Answer>& answers,
                                       const JudgeReplies& judged);

struct ScoredQuestion {
  std::string id;
  double score = 0;
  std::optional<bool> correct;  // absent: in part, or the measure is one of rankings
  RuleScore rule;
  std::string judge_reply;
  std::vector<Measure> ranking;  // 0..1; empty without gold pages
};

struct ScoredRun {
  std::string scored_by;
  std::string measure;
  std::string judge;  // the generator that was asked; empty: none
  std::vector<ScoredQuestion> questions;
  Json totals = Json::object();          // of answers, as the evaluator gives them
  Json ranking_totals = Json::object();  // of rankings, where the benchmark has rules of its own
  Evaluation evaluation;
};

ScoredRun score_answers(const Dataset& dataset, const BenchmarkData& data,
                        const std::vector<Answer>& answers, const JudgeReplies& judged);

// The lines of scores.jsonl.
std::string scores_text(const ScoredRun& run);

}  // namespace fineprint::bench
