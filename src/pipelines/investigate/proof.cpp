// Compares by terms and numbers.
#include "pipelines/investigate/proof.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <utility>

#include "fineprint/core/text.h"
#include "fineprint/text/answer_kind.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/same_answer.h"

namespace fineprint::pipelines::investigate {
namespace {

constexpr std::size_t kMostParts = 2, kSharedBySecond = 2, kMostNames = 3;

std::set<std::string> asked_terms(const std::string& text) {
  const std::vector<std::string> all = text::terms(text);
  return {all.begin(), all.end()};
}

bool is_yes_or_no(const std::string& answer) {
  const std::string word = lower_ascii(trim(answer));
  return word == "yes" || word == "no" || word == "yes." || word == "no.";
}

// Returns the words of a text, without punctuation around them.
std::vector<std::string> bare_words(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  const auto is_edge = [](char c) {
    return static_cast<unsigned char>(c) < 0x80 && !std::isalnum(c);
  };
  for (const char c : text + " ") {
    if (c != ' ') {
      word += c;
      continue;
    }
    while (!word.empty() && is_edge(word.back())) word.pop_back();
    while (!word.empty() && is_edge(word.front())) word.erase(0, 1);
    if (!word.empty()) words.push_back(std::move(word));
    word.clear();
  }
  return words;
}

bool has_all(const std::set<std::string>& terms, const std::string& words) {
  return std::ranges::includes(terms, asked_terms(words));
}

}  // namespace

std::vector<std::string> words_not_in(const std::string& text, const std::string& question) {
  std::set<std::string> asked;
  for (text::QuestionTerm& term : text::question_terms(question, {}, {})) {
    asked.insert(std::move(term.term));
  }
  const std::set<std::string> present = asked_terms(text);
  std::vector<std::string> missing;
  for (std::string& word : bare_words(question)) {
    const std::set<std::string> terms = asked_terms(word);
    const bool is_asked =
        std::ranges::any_of(terms, [&](const std::string& term) { return asked.contains(term); });
    if (is_asked && !std::ranges::includes(present, terms)) missing.push_back(std::move(word));
  }
  return missing;
}

std::vector<std::string> new_names(const std::string& text, const std::string& words) {
  const std::set<std::string> known = asked_terms(text);
  std::vector<std::string> names;
  for (const text::Value& name : text::find_values(words, text::AnswerKind::name)) {
    if (!has_all(known, name.text) && std::ranges::count(names, name.text) == 0) {
      names.push_back(name.text);
    }
  }
  return names;
}

std::string bridging_words(const std::string& text, const std::string& question) {
  const std::vector<std::string> missing = words_not_in(text, question);
  if (missing.empty()) return {};
  std::vector<std::string> words = new_names(question, text);
  words.resize(std::min(words.size(), kMostNames));
  words.insert(words.end(), missing.begin(), missing.end());
  return join_texts(words, " ");
}

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
