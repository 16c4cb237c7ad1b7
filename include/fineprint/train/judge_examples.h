// Reads the examples that judges of pages are trained on.
#pragma once

#include <string>
#include <vector>

namespace fineprint::train {

// The range of labels.
inline constexpr int kLeastMark = 1, kMostMark = 5;

// A judgement of how much of the answer to a question a page has.
struct JudgeExample {
  std::string query;
  std::string image;  // the name of the page's picture
  int label = 0;      // from kLeastMark (nothing) to kMostMark (all of it)
};

// Reads a file of JSON Lines, {"query": TEXT, "image": FILE, "label": 1 to 5}; other keys are
// ignored. Throws Error(input) with the line if it does not have this form, and if the file has no
// lines.
std::vector<JudgeExample> read_judge_examples(const std::string& path);

}  // namespace fineprint::train
