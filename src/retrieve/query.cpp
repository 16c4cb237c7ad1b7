// A question made ready for the scorers.
#include "fineprint/retrieve/query.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "fineprint/text/terms.h"

#include "retrieve/glossary.h"

namespace fineprint::retrieve {
namespace {

// Takes new terms, as many as a question may have, and counts the others.
class DistinctTerms {
 public:
  explicit DistinctTerms(std::size_t most) : most_(most) {}

  void add(std::vector<std::string> terms, std::vector<std::string>* out) {
    for (std::string& term : terms) {
      if (!seen_.insert(term).second) continue;
      if (++taken_ <= most_) out->push_back(std::move(term));
    }
  }
  std::size_t left_out() const { return taken_ - std::min(taken_, most_); }

 private:
  std::size_t most_;
  std::size_t taken_ = 0;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Query prepare_query(std::string_view question) {
  Query query;
  query.question = question;
  query.core = text::question_core(question);
  query.expansion = glossary_expansion(query.core);
  query.named_pages = text::named_pages(question);
  DistinctTerms terms(kMostTerms);
  terms.add(text::query_terms(text::without_named_pages(query.core)), &query.asked_terms);
  query.terms_left_out = terms.left_out();
  terms.add(text::terms(query.expansion), &query.added_terms);
  return query;
}

std::vector<WeightedTerm> Query::weighted_terms() const {
  std::vector<WeightedTerm> all;
  for (const std::string& term : asked_terms) all.push_back({term, 1.0});
  for (const std::string& term : added_terms) all.push_back({term, kExpansionWeight});
  return all;
}

}  // namespace fineprint::retrieve
