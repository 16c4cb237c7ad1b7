// What a question demands beyond finding a place: what is counted in it, and work that no single
// sentence or table row does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

// Work that whoever only quotes cannot do.
struct Demands {
  bool arithmetic = false;  // "what is the ratio", "how much did it grow", "the total of"
  bool comparison = false;  // "which is greater", "the highest", "more than"
  bool looking = false;     // "what colour", "in the chart", "how many pictures"
  bool several = false;     // two questions or more, or several things at once
  bool reasons = false;     // "why", "the reason for", "how does it work"
  bool change = false;      // of a quantity: "the increase", "how much did it fall"
};

Demands demands(std::string_view question);

// Whether a question that speaks of money asks for an amount of it ("how much", "what was the
// revenue", "in dollars") and not for a reason, a place or a time.
bool asks_amount(std::string_view question);

// The same of percentages: "what percentage", "what was the margin", "how much".
bool asks_share(std::string_view question);

// The terms of what is counted, the last being the head: "full", "time", "employe" of "How many
// full-time employees work there?"; also behind "number of". Empty when nothing is.
std::vector<std::string> counted_terms(std::string_view question);

}  // namespace fineprint::text
