// What judges of pages are trained on.
#pragma once

#include <string>
#include <vector>

namespace fineprint::train {

inline constexpr int kLeastMark = 1, kMostMark = 5;

// How much of what answers a question stands on a page.
struct Verdict {
  std::string query;
  std::string image;  // the name of the page's picture
  int label = 0;      // from kLeastMark, nothing, to kMostMark, all
};

// A file of JSON Lines, {"query": TEXT, "image": FILE, "label": 1 to 5}; what else they say is left
// alone. Throws Error(input) naming the line that is none, and for a file without any.
std::vector<Verdict> read_verdicts(const std::string& path);

}  // namespace fineprint::train
