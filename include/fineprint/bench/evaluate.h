// Scores a file of answers or rankings against the gold pages and answers of its questions.
#pragma once

#include <string>
#include <vector>

#include "fineprint/bench/trec.h"
#include "fineprint/core/records.h"
#include "fineprint/metrics/calibration.h"

namespace fineprint::bench {

struct Measure {
  std::string name;
  double value = 0;
};

// Percentages, over the questions that each measure applies to; NaN where it applies to none.
struct Evaluation {
  std::int64_t questions = 0, missing = 0, errors = 0;
  std::int64_t with_evidence = 0;  // questions that the ranking measures are taken over
  // nDCG@K, R@K, P@K and Hit@K, P_returned, MAP and MRR.
  std::vector<Measure> ranking;
  std::int64_t answerable = 0, unanswerable = 0;
  double first_citation = 0;       // right page first; answerable questions with evidence
  double declined_answerable = 0;  // share of the answerable that were declined
  double declined_unanswerable = 0;
  double exact = 0, relaxed = 0;  // answerable questions with a gold answer
  // Over questions whose answers can be judged right (by the relaxed match, or for declining what
  // cannot be answered): areas under ROC curves are from 0 to 1, NaN where one class is empty.
  double confidence_auc = 0;                           // right against wrong
  double answerability_auc = 0;                        // answerable against unanswerable
  std::vector<metrics::ReliabilityBin> confidence;     // that an answer is right
  std::vector<metrics::ReliabilityBin> answerability;  // of answers that tell it
};

struct ItemScore {
  std::string id;
  std::vector<Measure> ranking;  // 0..1; AP and RR instead of MAP and MRR; empty without evidence
  bool first_citation = false, exact = false, relaxed = false;
};

// Questions with what is known of the right pages.
struct Gold {
  std::vector<Question> questions;
  Gains gains = {};         // of pages that count more than 1 or less
  bool pages_only = false;  // from qrels: nothing is known of answers
};

// What a system gave for questions.
struct Given {
  std::vector<Answer> answers;
  bool pages_only = false;  // hits or a TREC run: they say nothing about answers
};

// A question without an answer line counts as missing and scores 0 everywhere.
Evaluation evaluate(const Gold& gold, const std::vector<Answer>& answers,
                    std::vector<ItemScore>* per_item = nullptr);

// Reads answers, or the hits of `search --json` with an "id", one JSON object a line; or a TREC
// run.
Given read_answers(const std::string& path);
// Reads questions, or TREC qrels.
Gold read_gold(const std::string& path);

}  // namespace fineprint::bench
