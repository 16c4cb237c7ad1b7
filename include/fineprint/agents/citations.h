// What proves an answer: quotes marked on the pages that were shown; and answers that decline.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/session/corpus.h"

namespace fineprint::agents {

// What an agent says stands on a page.
struct Claim {
  std::uint32_t page = 0;  // dense
  std::string quote;       // empty: the page as a whole
  double score = 0;
};

// The claims as citations: those whose quote was found on its page, with a box a line and the
// claim's score, times the similarity where the page says it in nearly the same letters (see
// text::find_quote); behind them the others without boxes and with a score of 0, which name a page
// but prove nothing. Each in the order of the claims; repeated ones are dropped. A claim about a
// page that is not among `shown` is dropped, whatever it says.
std::vector<Citation> cite(const session::Corpus& corpus, std::span<const std::uint32_t> shown,
                           std::span<const Claim> claims);

// Whether an answer says that there is none, in one of the usual ways ("Cannot be determined from
// the pages.", "N/A", nothing at all), or begins with an English sentence that says so ("I cannot
// find that in the documents"). "None" and "0" are answers.
bool declines(std::string_view answer);

struct FinalAnswer {
  std::string text;  // kNotAnswerable when !answerable
  bool answerable = false;
};

// The one canonical value for all answers that decline, or that come with `answerable` false.
FinalAnswer final_answer(std::string_view answer, bool answerable);

}  // namespace fineprint::agents
