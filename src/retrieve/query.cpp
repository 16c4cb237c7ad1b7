// A question made ready for the scorers.
#include "fineprint/retrieve/query.h"

#include <algorithm>

#include "fineprint/text/terms.h"

#include "retrieve/glossary.h"

namespace fineprint::retrieve {
namespace {

bool has_term(const std::vector<std::string>& terms, const std::string& term) {
  return std::find(terms.begin(), terms.end(), term) != terms.end();
}

}  // namespace

Query prepare_query(std::string_view question) {
  Query query;
  query.question = question;
  query.core = text::question_core(question);
  query.expansion = glossary_expansion(query.core);
  query.named_pages = text::named_pages(question);
  for (std::string& term : text::query_terms(text::without_named_pages(query.core))) {
    if (!has_term(query.asked_terms, term)) query.asked_terms.push_back(std::move(term));
  }
  for (std::string& term : text::terms(query.expansion)) {
    if (!has_term(query.asked_terms, term) && !has_term(query.added_terms, term)) {
      query.added_terms.push_back(std::move(term));
    }
  }
  return query;
}

std::vector<WeightedTerm> Query::weighted_terms() const {
  std::vector<WeightedTerm> all;
  for (const std::string& term : asked_terms) all.push_back({term, 1.0});
  for (const std::string& term : added_terms) all.push_back({term, kExpansionWeight});
  return all;
}

}  // namespace fineprint::retrieve
