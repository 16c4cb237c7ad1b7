// Finds the evidence of an answer, quotes on the pages that were shown, and recognises answers that
// abstain.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/core/records.h"
#include "fineprint/session/corpus.h"

namespace fineprint::agents {

// What an agent says is on a page.
struct Claim {
  PageId page;
  std::string quote;  // empty: the entire page
  double score = 0;
};

// Returns the claims as citations. First come the claims whose quote was found on its page, with a
// box per line and the claim's score, multiplied by the similarity if the page says nearly the same
// (see text::find_quote). The others follow without boxes and with a score of 0, because they name
// a page but prove nothing. Both groups keep the order of the claims; repeated claims are dropped.
// A claim about a page that is not in `shown` is dropped, whatever it says.
std::vector<Citation> cite(const session::Corpus& corpus, std::span<const PageId> shown,
                           std::span<const Claim> claims);

// Returns whether an answer says that there is none, in one of the usual ways ("Cannot be
// determined from the pages.", "N/A", nothing at all), or begins with an English sentence that says
// so ("I cannot find that in the documents"). "None" and "0" are answers.
bool declines(std::string_view answer);

// An answer in its final form.
struct FinalAnswer {
  std::string text;  // kNotAnswerable if !answerable
  bool answerable = false;
};

// Returns the answer without surrounding white space, or the one canonical text kNotAnswerable if
// it abstains or `answerable` is false.
FinalAnswer final_answer(std::string_view answer, bool answerable);

}  // namespace fineprint::agents
