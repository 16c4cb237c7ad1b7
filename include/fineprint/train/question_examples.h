// Makes examples for retrievers from the questions of a data set and their gold pages.
#pragma once

#include <string>

#include "fineprint/bench/benchmark.h"

namespace fineprint::train {

struct QuestionExamples {
  std::string lines;  // {"id", "query", "positive": [{"image": FILE}, ...], "answers"}, one a line
  long examples = 0;  // the number of lines
  long without_pages = 0;  // questions that were left out, because they have nothing to find
};

// Appends an example for each question that has gold pages. The pages must be pictures in the first
// folder of `data.documents`; their paths become absolute, so that the examples can be used in any
// folder.
void add_question_examples(const bench::BenchmarkData& data, QuestionExamples* made);

}  // namespace fineprint::train
