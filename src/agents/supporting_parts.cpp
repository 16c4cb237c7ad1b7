// Compares the terms of an answer with those of sentences and rows.
#include "agents/supporting_parts.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "fineprint/text/terms.h"

namespace fineprint::agents {
namespace {

using TermSet = std::set<std::string>;

// More quotes would mark most of a passage.
constexpr std::size_t kMostParts = 3;

TermSet term_set(std::string_view text) {
  std::vector<std::string> all = text::terms(text);
  return {std::make_move_iterator(all.begin()), std::make_move_iterator(all.end())};
}

std::size_t shared(const TermSet& wanted, const TermSet& present) {
  return static_cast<std::size_t>(std::ranges::count_if(
      wanted, [&](const std::string& term) { return present.contains(term); }));
}

// Chooses parts as long as they add terms of the answer that no chosen part has.
class Choice {
 public:
  Choice(std::span<const std::string> parts, const TermSet& asked) {
    for (const std::string& part : parts) terms_.push_back(term_set(part));
    for (const TermSet& terms : terms_) asked_.push_back(shared(asked, terms));
  }

  // Returns the part that shares most of `wanted`, of equal ones the one that shares most of the
  // question; npos if none shares any.
  std::size_t best(const TermSet& wanted) const {
    std::size_t best = std::string::npos;
    std::pair<std::size_t, std::size_t> most{0, 0};
    for (std::size_t i = 0; i < terms_.size(); ++i) {
      const std::pair score{shared(wanted, terms_[i]), asked_[i]};
      if (score.first == 0 || (best != std::string::npos && score <= most)) continue;
      best = i;
      most = score;
    }
    return best;
  }

  std::set<std::size_t> covering(TermSet wanted) const {
    std::set<std::size_t> chosen;
    while (chosen.size() < kMostParts && !wanted.empty()) {
      const std::size_t next = best(wanted);
      if (next == std::string::npos) break;
      chosen.insert(next);
      std::erase_if(wanted, [&](const std::string& term) { return terms_[next].contains(term); });
    }
    return chosen;
  }

 private:
  std::vector<TermSet> terms_;
  std::vector<std::size_t> asked_;  // terms of the question in each part
};

}  // namespace

std::vector<std::string> supporting_parts(std::span<const std::string> parts,
                                          std::string_view question, std::string_view answer) {
  const TermSet asked = term_set(question);
  const Choice choice(parts, asked);
  // A set of indices, so that quotes keep the order in which they are on the page.
  std::set<std::size_t> chosen = choice.covering(term_set(answer));
  if (chosen.empty()) {
    // "Yes" and computed values share no words with any part; then the part nearest to the question
    // is quoted.
    if (const std::size_t best = choice.best(asked); best != std::string::npos) chosen.insert(best);
  }
  std::vector<std::string> quotes;
  for (const std::size_t i : chosen) quotes.push_back(parts[i]);
  return quotes;
}

bool shares_terms(std::string_view part, std::string_view answer) {
  return shared(term_set(answer), term_set(part)) > 0;
}

}  // namespace fineprint::agents
