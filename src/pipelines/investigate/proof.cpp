// Compares by terms and numbers.
#include "pipelines/investigate/proof.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "fineprint/core/text.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/same_answer.h"

namespace fineprint::pipelines::investigate {
namespace {

constexpr std::size_t kMostParts = 2, kSharedBySecond = 2;

std::set<std::string> asked_terms(const std::string& text) {
  const std::vector<std::string> all = text::terms(text);
  return {all.begin(), all.end()};
}

bool is_yes_or_no(const std::string& answer) {
  const std::string word = lower_ascii(trim(answer));
  return word == "yes" || word == "no" || word == "yes." || word == "no.";
}

}  // namespace

bool holds_answer(const std::string& text, const std::string& answer) {
  if (text.empty()) return false;
  return is_yes_or_no(answer) || extractive::share_held(text, answer) > 0.5;
}

std::vector<std::string> telling_parts(const agents::ChunkShown& passage,
                                       const std::string& asked) {
  const std::set<std::string> wanted = asked_terms(asked);
  std::vector<std::pair<std::size_t, std::size_t>> ranked;  // shared terms, part
  for (std::size_t i = 0; i < passage.parts.size(); ++i) {
    const auto present = asked_terms(passage.parts[i]);
    const auto shared = std::ranges::count_if(
        present, [&](const std::string& term) { return wanted.contains(term); });
    if (shared > 0) ranked.emplace_back(shared, i);
  }
  std::ranges::stable_sort(ranked, std::ranges::greater(),
                           &std::pair<std::size_t, std::size_t>::first);
  ranked.resize(std::min(ranked.size(), kMostParts));
  if (ranked.size() > 1 && ranked.back().first < kSharedBySecond) ranked.pop_back();
  std::ranges::sort(ranked, {}, &std::pair<std::size_t, std::size_t>::second);
  std::vector<std::string> parts;
  for (const auto& [shared, part] : ranked) parts.push_back(passage.parts[part]);
  return parts;
}

}  // namespace fineprint::pipelines::investigate
