// Builds the JSON of a report.
#include "report/page_data.h"

#include <set>
#include <string>
#include <utility>

#include "report/question_data.h"
#include "report/rounded.h"

namespace fineprint::report {
namespace {

Json facets_data(const std::vector<Facet>& facets, const Places& places) {
  Json list = Json::array();
  for (std::size_t i = 0; i < facets.size(); ++i) {
    list.push_back(
        {{"name", facets[i].name}, {"label", facets[i].label}, {"values", places.values[i].all()}});
  }
  return list;
}

Json pages_data(Places* places) {
  Json list = Json::array();
  for (const ShownPage& page : places->pictures.pages()) {
    Json data = {{"doc", places->docs.place(page.page.doc)},
                 {"page", page.page.page},
                 {"width", rounded(double{page.width_pt})},
                 {"height", rounded(double{page.height_pt})}};
    if (!page.source.empty()) data["source"] = page.source;
    if (!page.problem.empty()) data["problem"] = page.problem;
    list.push_back(std::move(data));
  }
  return list;
}

// Returns the pipelines or generators of all answers, each once.
Json made_by(const std::vector<Answer>& answers, std::string Answer::* member) {
  std::set<std::string> names;
  for (const Answer& answer : answers) {
    if (!(answer.*member).empty()) names.insert(answer.*member);
  }
  return names;
}

}  // namespace

// Gold pages are shown even if the answer does not cite them, so that a reader can see what it
// missed.
void want_pages(const std::vector<Entry>& entries, PagePictures* pictures) {
  for (const Entry& entry : entries) {
    if (entry.answer != nullptr && !entry.answer->error) {
      for (const Citation& citation : entry.answer->citations) {
        pictures->want(citation.page, docs_of(entry));
      }
    }
    if (entry.question == nullptr || !entry.question->evidence) continue;
    for (const PageRef& page : *entry.question->evidence) pictures->want(page, docs_of(entry));
  }
}

Json page_data(const Material& material, const std::vector<Entry>& entries, PagePictures* pictures,
               const std::string& folder) {
  const std::vector<Facet> facets = facets_of(entries);
  Places places{std::vector<Names>(facets.size()), {}, *pictures};
  Json questions = Json::array();
  for (const Entry& entry : entries) questions.push_back(question_data(entry, facets, &places));
  Json pages = pages_data(&places);  // before `docs` is read, because it adds documents
  return {{"title", material.title},
          {"pipelines", made_by(material.answers, &Answer::pipeline)},
          {"generators", made_by(material.answers, &Answer::generator)},
          {"scored", !material.scores.empty()},
          {"folder", folder},
          {"pictures", pictures->are_shown()},
          {"summary", summary_data(summarise(entries))},
          {"facets", facets_data(facets, places)},
          {"docs", places.docs.all()},
          {"pages", std::move(pages)},
          {"questions", std::move(questions)}};
}

}  // namespace fineprint::report
