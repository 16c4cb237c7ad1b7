// Scores a file of answers or rankings against the gold pages and answers of its questions.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/records.h"

namespace fineprint::bench {

// Percentages, over the questions that each measure applies to.
struct Evaluation {
  std::int64_t questions = 0, missing = 0, errors = 0;
  std::int64_t with_evidence = 0;  // questions that the ranking measures are taken over
  double ndcg_5 = 0, ndcg_10 = 0, recall_1 = 0, recall_3 = 0, recall_5 = 0, recall_10 = 0, mrr = 0;
  std::int64_t answerable = 0, unanswerable = 0;
  double first_citation = 0;       // right page first; answerable questions with evidence
  double declined_answerable = 0;  // share of the answerable that were declined
  double declined_unanswerable = 0;
  double confidence_auc = 0;      // 0..1, answerable against unanswerable
  double exact = 0, relaxed = 0;  // answerable questions with a gold answer
};

struct ItemScore {
  std::string id;
  double ndcg_5 = 0, recall_10 = 0, reciprocal_rank = 0;
  bool first_citation = false, exact = false, relaxed = false;
};

// A question without an answer line counts as missing and scores 0 everywhere.
Evaluation evaluate(const std::vector<Question>& gold, const std::vector<Answer>& answers,
                    std::vector<ItemScore>* per_item = nullptr);

// Reads answers, or the hits of `search --json` with an "id", one JSON object a line.
std::vector<Answer> read_answers(const std::string& path);

}  // namespace fineprint::bench
