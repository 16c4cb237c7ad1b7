// Questions, answers and scores as tests of reports write them.
#pragma once

#include <string>
#include <vector>

#include "fineprint/report/report.h"

namespace fineprint::report {

inline Question question_of(const std::string& id, const std::string& gold,
                            const std::string& fields = "{}") {
  Question question;
  question.id = id;
  question.text = "What is " + id + "?";
  if (!gold.empty()) question.answer = gold;
  question.extra_json = fields;
  return question;
}

inline Answer answer_of(const std::string& id, const std::string& text, double confidence = 0.5) {
  Answer answer;
  answer.id = id;
  answer.question = "What is " + id + "?";
  answer.answer = text;
  answer.answerable = text != kNotAnswerable;
  answer.confidence = confidence;
  return answer;
}

}  // namespace fineprint::report
