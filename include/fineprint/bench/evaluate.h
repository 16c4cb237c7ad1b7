// Scores a file of answers or rankings against the gold pages and gold answers of its questions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/metrics/calibration.h"
#include "fineprint/runs/trec.h"

namespace fineprint::bench {

// A named figure.
struct Measure {
  std::string name;
  double value = 0;
};

// Scores over all questions. Percentages are over the questions that a measure applies to, and NaN
// if it applies to none.
struct Evaluation {
  std::int64_t questions = 0, missing = 0, errors = 0;
  std::int64_t with_evidence = 0;  // questions that the ranking measures are computed over
  // nDCG@K, R@K, P@K and Hit@K, P_returned, MAP and MRR.
  std::vector<Measure> ranking;
  std::int64_t answerable = 0, unanswerable = 0;
  double first_citation = 0;       // gold page cited first; answerable questions with evidence
  double declined_answerable = 0;  // share of answerable questions without an answer
  double declined_unanswerable = 0;
  double exact = 0, relaxed = 0;  // answerable questions with a gold answer
  // Computed over questions whose answers can be judged: by the relaxed match, or by abstaining if
  // the question cannot be answered. Areas under ROC curves are 0 to 1, and NaN if one class is
  // empty.
  double confidence_auc = 0;                           // right against wrong answers
  double answerability_auc = 0;                        // answerable against unanswerable questions
  std::vector<metrics::ReliabilityBin> confidence;     // that an answer is right
  std::vector<metrics::ReliabilityBin> answerability;  // of answers that report it
};

// The scores of one question.
struct ItemScore {
  std::string id;
  std::vector<Measure> ranking;  // 0..1; AP and RR instead of MAP and MRR; empty without evidence
  bool first_citation = false, exact = false, relaxed = false;
};

// Questions with their gold pages.
struct Gold {
  std::vector<Question> questions;
  runs::Gains gains = {};   // of pages that count more or less than 1
  bool pages_only = false;  // read from qrels: the gold answers are unknown
};

// Computes all scores. A question without an answer line counts as missing and scores 0 everywhere.
// If `per_item` is not null, appends the scores of each question to it.
Evaluation evaluate(const Gold& gold, const std::vector<Answer>& answers,
                    std::vector<ItemScore>* per_item = nullptr);

// Reads questions, or TREC qrels. Throws Error(input) with file and line if a line is wrong.
Gold read_gold(const std::string& path);

}  // namespace fineprint::bench
