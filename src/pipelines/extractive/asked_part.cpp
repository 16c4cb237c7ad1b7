// Finds the words for parts of laws and contracts, and the numbers after them.
#include "pipelines/extractive/asked_part.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "fineprint/core/unicode.h"
#include "fineprint/text/pattern.h"
#include "fineprint/text/terms.h"

namespace fineprint::pipelines::extractive {
namespace {

// Words for parts in English, German, Dutch, French, Spanish and Italian, and a number.
constexpr const char* kParts =
    R"((?:\b(clause|section|article|paragraph|rule|condition|regulation|item|point|)"
    R"(artikel|abschnitt|absatz|ziffer|punkt|klausel|lid|al[ié]n[ée]a|)"
    R"(art[íi]culo|articolo|cl[áa]usula|clausola|secci[óo]n|sezione)|§)\s*(\d+(?:\.\d+)*)\b)";

// Words that only ask what a text says.
constexpr std::string_view kSaying =
    "say says said state states stated provide provides provided contain contains read reads cover "
    "covers regulate regulates stipulate stipulates lautet besagt sagt regelt steht enthält zegt "
    "staat dit dispose prévoit contient dice establece contiene prevede stabilisce";

std::string_view without_points(std::string_view word) {
  while (!word.empty() && std::string_view(".):").find(word.back()) != std::string_view::npos) {
    word.remove_suffix(1);
  }
  return word;
}

}  // namespace

std::optional<AskedPart> asked_part(const retrieve::Query& query) {
  static const text::Pattern kPart(kParts);
  const std::vector<std::vector<std::string>> parts = kPart.matches(query.core);
  if (parts.size() != 1) return std::nullopt;
  return AskedPart{.kind = fold(parts[0][1]), .number = parts[0][2]};
}

bool begins_asked_part(const Snippet& snippet, const AskedPart& part) {
  const std::string text = fold(snippet.text);
  std::string_view rest = text;
  for (const std::string_view start : {std::string_view(part.kind), std::string_view("§")}) {
    if (start.empty() || !rest.starts_with(start)) continue;
    rest.remove_prefix(start.size());
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    break;
  }
  const std::string_view first = rest.substr(0, rest.find(' '));
  return first.size() < rest.size() && without_points(first) == part.number;
}

bool asks_what_part_says(const AskedPart& part, const std::string& language,
                         const retrieve::Query& query) {
  std::vector<std::string> known = text::terms(part.kind + " " + part.number, query.language);
  for (const std::string& of : {query.language, language}) {
    std::ranges::move(text::terms(kSaying, of), std::back_inserter(known));
  }
  return std::ranges::all_of(query.asked_terms, [&](const std::string& term) {
    return std::ranges::find(known, term) != known.end();
  });
}

}  // namespace fineprint::pipelines::extractive
