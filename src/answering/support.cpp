// Compares an answer and its question with the pages that it cites.
#include "answering/support.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fineprint/core/json.h"
#include "fineprint/retrieve/coverage.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/text/quote.h"
#include "fineprint/text/terms.h"

namespace fineprint::answering {
namespace {

// The most that matching words are worth: words that agree prove nothing on their own.
constexpr double kMost = 0.9;
// The share that pages without words, or answers without words of their own, count as.
constexpr double kUnknown = 0.5;
// The factor for an answer that is found on no cited page.
constexpr double kUnproven = 0.5;

struct CitedPage {
  PageId id;
  Page page;
};

std::vector<CitedPage> cited_pages(const session::Corpus& corpus, const Answer& answer) {
  // A page that is cited several times is compared once.
  std::set<PageRef> refs;
  for (const Citation& citation : answer.citations) refs.insert(citation.page);
  std::vector<CitedPage> pages;
  for (const PageRef& ref : refs) {
    const std::optional<DocumentId> document = corpus.document_named(ref.doc);
    if (!document) continue;
    const PageId id = corpus.page_number(*document, ref.page);
    pages.push_back({id, corpus.page(id)});
  }
  return pages;
}

// Returns the weight of the terms that are on the pages, as a share of the weight of all terms.
double share_on(const session::Context& context, const std::vector<std::string>& terms,
                const std::vector<CitedPage>& pages, const retrieve::Spellings& spellings = {}) {
  const retrieve::TermCoverage coverage(context, terms, spellings);
  std::vector<std::string> found;
  for (std::size_t term = 0; term < terms.size(); ++term) {
    const bool holds = std::ranges::any_of(
        pages, [&](const CitedPage& cited) { return coverage.holds(cited.id, term); });
    if (holds) found.push_back(terms[term]);
  }
  return coverage.in_terms(found);
}

double grounding_on(const session::Context& context, const std::string& answer,
                    const std::vector<CitedPage>& pages) {
  const std::vector<std::string> all = text::terms(answer);
  std::set<std::string> own(all.begin(), all.end());
  // A verdict is on no page, and says nothing about whether the pages support it.
  for (const char* verdict : {"yes", "no"}) own.erase(verdict);
  if (own.empty()) return kUnknown;
  return share_on(context, {own.begin(), own.end()}, pages);
}

bool is_quoted(const std::vector<CitedPage>& pages, const Answer& answer) {
  const bool marked = std::ranges::any_of(
      answer.citations, [](const Citation& citation) { return !citation.boxes.empty(); });
  return marked || std::ranges::any_of(pages, [&](const CitedPage& cited) {
           return text::find_quote(cited.page, answer.answer).has_value();
         });
}

}  // namespace

double support(const session::Context& context, const std::string& question, const Answer& answer) {
  const std::vector<CitedPage> pages = cited_pages(context.session.corpus(), answer);
  // An answer without citations cannot be checked by anybody.
  if (pages.empty()) return 0;
  const bool readable =
      std::ranges::any_of(pages, [](const CitedPage& cited) { return !cited.page.words.empty(); });
  const retrieve::Query asked =
      retrieve::prepare_query(question, context.session.corpus().languages());
  const double coverage =
      readable ? share_on(context, asked.asked_terms, pages, asked.spellings) : kUnknown;
  const double grounding = readable ? grounding_on(context, answer.answer, pages) : kUnknown;
  const bool quoted = readable && is_quoted(pages, answer);
  const double support = kMost * std::min(coverage, grounding) * (quoted ? 1 : kUnproven);
  if (context.events.wants_fields()) {
    const Json fields = {
        {"coverage", coverage}, {"grounding", grounding}, {"quoted", quoted}, {"value", support}};
    context.events.tell({.step = "support", .fields = dump_json(fields)});
  }
  return support;
}

}  // namespace fineprint::answering
