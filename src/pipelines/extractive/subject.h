// Checks whether pages are about what a question names: a company, a product, a year.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/retrieve/coverage.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/session/context.h"

#include "pipelines/reading/snippets.h"

namespace fineprint::pipelines::extractive {

// What a question names. It is checked separately because a document about another company may
// share all other words of the question.
struct Subjects {
  // Terms of capitalised words, and of words that mix digits and letters ("5G", "A320"). The first
  // word of a sentence is left out unless it is a possessive ("Acme's ...") or another capitalised
  // word follows. Words that the glossary knows ("CEO") are left out too.
  std::vector<std::string> names;
  std::vector<std::string> years;  // "2019"
};

// Returns the names and years of a prepared question. For example, for "What did Acme earn in
// 2019?" the name is the term of "Acme" and the year is "2019".
Subjects subjects_of(const retrieve::Query& query);

// How well the surroundings of a snippet match what a question names: 0..1; 1 if it names nothing.
struct SubjectFit {
  // The smallest value of all names: 1 if the name is on the page, in the title or file name of its
  // document, or on the document's first page; 0.5 if it is elsewhere in the document; 0 if not.
  double names = 1;
  // The smallest value of all years: 1 if the year is in the snippet or its context; 0.5 if it is
  // on the page or in the title or name of the document; 0 otherwise. A row in a table whose
  // columns are headed by other years gets 0.
  double years = 1;
};

// Looks up the names and years for the pages of a corpus. The session must outlive it.
class SubjectIndex {
 public:
  SubjectIndex(const session::Context& context, Subjects subjects);

  const Subjects& subjects() const { return subjects_; }
  // Returns the fit of one snippet of a page.
  SubjectFit fit(PageId dense_page, const Snippet& snippet) const;

 private:
  double name_fit(std::size_t name, PageId dense_page) const;
  double year_fit(std::size_t year, PageId dense_page, const Snippet& snippet) const;
  bool is_on_any_page(std::size_t name, DocumentId document) const;
  bool is_in_name(const std::string& term, DocumentId document) const;

  const session::Corpus& corpus_;
  Subjects subjects_;
  retrieve::TermCoverage names_, years_;  // the pages with each name and each year
};

// Returns whether a term of the question only refers to whom a document is about, without naming
// it: "company" in "How many employees does the company have?". Documents may not use the word.
bool means_issuer(const retrieve::Query& query, const std::string& term);

}  // namespace fineprint::pipelines::extractive
