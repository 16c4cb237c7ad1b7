// Recognises what a question demands beyond finding one sentence or table row: for example,
// calculation or looking at a picture.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::pipelines::extractive {

// Work that a pipeline which only quotes cannot do.
struct Demands {
  bool arithmetic = false;  // "what is the ratio", "how much did it grow", "the total of"
  bool comparison = false;  // "which is greater", "the highest", "more than"
  bool looking = false;     // "what colour", "in the chart", "how many pictures"
  bool several = false;     // two questions or more, or several things at once
  bool reasons = false;     // "why", "the reason for", "how does it work"
  bool change = false;      // of a quantity: "the increase", "how much did it fall"

  // Whether one value of one row or sentence cannot be the answer.
  bool need_more_than_one() const { return arithmetic || comparison || several || reasons; }
};

// Judges an English question by its words. For example, "what is the ratio of debt to equity"
// demands arithmetic.
Demands demands(std::string_view question);

// Returns true if a question about money asks for an amount ("how much", "what was the revenue",
// "in dollars") and not for a reason, a place or a time.
bool asks_amount(std::string_view question);

// Returns true if a question about percentages asks for one ("what percentage", "what was the
// margin", "how much").
bool asks_share(std::string_view question);

}  // namespace fineprint::pipelines::extractive
