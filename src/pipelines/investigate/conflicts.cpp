// Compares facts of different documents by their words and numbers.
#include "pipelines/investigate/conflicts.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "fineprint/core/format.h"
#include "fineprint/text/answer_kind.h"
#include "fineprint/text/numbers.h"
#include "fineprint/text/terms.h"

#include "pipelines/extractive/demands.h"

namespace fineprint::pipelines::investigate {
namespace {

// Two sentences about the same thing share most of their words.
constexpr double kAlike = 0.6;

bool is_figure(const std::string& term) {
  return std::ranges::any_of(term, [](char c) { return c >= '0' && c <= '9'; });
}

std::set<std::string> words_in(const std::string& text) {
  std::set<std::string> words;
  for (std::string& term : text::terms(text)) {
    if (!is_figure(term)) words.insert(std::move(term));
  }
  return words;
}

std::set<double> figures_in(const std::string& text) {
  std::set<double> figures;
  for (const text::PrintedNumber& number : text::numbers_in(text)) figures.insert(number.value);
  return figures;
}

bool contradicts(const std::string& one, const std::string& other) {
  const std::set<std::string> words = words_in(one), others = words_in(other);
  std::vector<std::string> shared;
  std::ranges::set_intersection(words, others, std::back_inserter(shared));
  const double all = static_cast<double>(words.size() + others.size() - shared.size());
  if (all == 0 || static_cast<double>(shared.size()) < kAlike * all) return false;
  const std::set<double> figures = figures_in(one), other_figures = figures_in(other);
  return figures.size() == other_figures.size() && !figures.empty() && figures != other_figures;
}

// Returns "a.pdf, page 3" or "a.pdf, page 3, 12 May 2024".
std::string dated_place(const session::Corpus& corpus, const State& state, PageId page) {
  const Page content = corpus.page(page);
  const auto dates =
      text::find_values(page_text(content), text::AnswerKind::date, content.language);
  return dates.empty() ? state.place(page)
                       : format("{}, {}", state.place(page), dates.front().text);
}

}  // namespace

std::vector<std::size_t> disagreeing(const session::Corpus& corpus, const State& state,
                                     const std::string& question,
                                     std::span<const std::size_t> facts) {
  std::vector<std::size_t> others;
  if (extractive::demands(question).need_more_than_one()) return others;
  for (std::size_t i = 0; i < state.facts().size(); ++i) {
    const Fact& other = state.facts()[i];
    const bool disagrees =
        other.page && std::ranges::any_of(facts, [&](std::size_t index) {
          const Fact& fact = state.facts()[index];
          return fact.page && fact.part == other.part &&
                 corpus.document_of(*fact.page) != corpus.document_of(*other.page) &&
                 contradicts(fact.quote, other.quote);
        });
    if (disagrees) others.push_back(i);
  }
  return others;
}

std::string with_both(const session::Corpus& corpus, const State& state, const std::string& answer,
                      std::span<const std::size_t> facts, std::span<const std::size_t> others) {
  std::string text = answer;
  for (const std::size_t index : facts) {
    const std::optional<PageId> page = state.facts()[index].page;
    if (page) text += format(" ({})", dated_place(corpus, state, *page));
  }
  for (const std::size_t index : others) {
    const Fact& fact = state.facts()[index];
    text += format("; {} says: \"{}\"", dated_place(corpus, state, *fact.page), fact.quote);
  }
  return text;
}

}  // namespace fineprint::pipelines::investigate
