// Prepares a question for the scorers.
#include "fineprint/retrieve/query.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "fineprint/text/glossary.h"
#include "fineprint/text/language.h"
#include "fineprint/text/terms.h"

namespace fineprint::retrieve {
namespace {

// Accepts distinct terms up to a limit, and counts how many were refused.
class DistinctTerms {
 public:
  explicit DistinctTerms(std::size_t most) : most_(most) {}

  // Returns whether the term is new and within the limit.
  bool take(const std::string& term) { return seen_.insert(term).second && ++taken_ <= most_; }
  std::size_t left_out() const { return taken_ - std::min(taken_, most_); }

 private:
  std::size_t most_;
  std::size_t taken_ = 0;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Query prepare_query(std::string_view question, std::span<const std::string> stored,
                    const QueryOptions& options) {
  Query query;
  query.question = question;
  query.core = text::question_core(question);
  if (options.glossary) query.expansion = text::glossary_expansion(query.core);
  if (options.named_pages) query.named_pages = text::named_pages(question);
  query.language = text::question_language(question, stored);
  DistinctTerms terms(kMostTerms);
  // "page 5" is no search term: named pages get a bonus instead (named_pages.cpp).
  const std::string sought =
      options.named_pages ? text::without_named_pages(query.core) : query.core;
  for (text::QuestionTerm& asked : text::question_terms(sought, query.language, stored)) {
    if (!terms.take(asked.term)) continue;
    if (!asked.spellings.empty()) query.spellings[asked.term] = std::move(asked.spellings);
    query.asked_terms.push_back(std::move(asked.term));
  }
  query.terms_left_out = terms.left_out();
  if (options.glossary && text::is_english(query.language)) {
    for (text::OtherWord& one : text::measure_nouns(query.core)) {
      query.spellings[one.asked].push_back(std::move(one.printed));
    }
  }
  for (std::string& term : text::terms(query.expansion)) {
    if (terms.take(term)) query.added_terms.push_back(std::move(term));
  }
  return query;
}

std::vector<std::string> Query::as_asked(std::vector<std::string> terms) const {
  for (std::string& term : terms) {
    if (std::ranges::find(asked_terms, term) != asked_terms.end()) continue;
    const auto same = std::ranges::find_if(spellings, [&](const auto& one) {
      return std::ranges::find(one.second, term) != one.second.end();
    });
    if (same != spellings.end()) term = same->first;
  }
  return terms;
}

std::vector<WeightedTerm> Query::weighted_terms() const {
  std::vector<WeightedTerm> all;
  for (const std::string& term : asked_terms) {
    const auto found = spellings.find(term);
    all.push_back(
        {term, 1.0, found == spellings.end() ? std::vector<std::string>{} : found->second});
  }
  for (const std::string& term : added_terms) all.push_back({term, kExpansionWeight, {}});
  return all;
}

}  // namespace fineprint::retrieve
