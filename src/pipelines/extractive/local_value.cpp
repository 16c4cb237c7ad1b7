// Extracts a value in another language: no choice among several, only a value without rivals.
#include "pipelines/extractive/local_value.h"

#include <algorithm>
#include <vector>

#include "fineprint/text/terms.h"

namespace fineprint::pipelines::extractive {
namespace {

// Less than for English, because the lists of function words of other languages are incomplete:
// some of the counted terms are such words.
constexpr double kLeastHeld = 0.6;  // of the question's terms

// Returns the share of the question's terms that snippet and headings hold, in any spelling.
double held_share(const Page& page, const Snippet& snippet, const retrieve::Query& query) {
  const std::vector<std::string> held =
      text::terms(snippet.text + " " + snippet.context, page.language);
  const auto is_there = [&](const std::string& term) {
    return std::ranges::find(held, term) != held.end();
  };
  const auto is_held = [&](const std::string& term) {
    const auto others = query.spellings.find(term);
    return is_there(term) ||
           (others != query.spellings.end() && std::ranges::any_of(others->second, is_there));
  };
  const auto count = std::ranges::count_if(query.asked_terms, is_held);
  return query.asked_terms.empty()
             ? 0
             : static_cast<double>(count) / static_cast<double>(query.asked_terms.size());
}

}  // namespace

std::optional<std::string> local_value(const Page& page, const Snippet& snippet,
                                       text::AnswerKind kind, const retrieve::Query& query) {
  std::vector<text::Value> values = text::find_values(snippet.text, kind, page.language);
  std::erase_if(values, [&](const text::Value& value) {
    return query.core.find(value.text) != std::string::npos;
  });
  if (values.size() != 1 || held_share(page, snippet, query) < kLeastHeld) return std::nullopt;
  return values.front().text;
}

}  // namespace fineprint::pipelines::extractive
