// Whether pages are about what a question names: a company, a product, a year.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/retrieve/passages.h"
#include "fineprint/retrieve/query.h"
#include "fineprint/session/context.h"

namespace fineprint::retrieve {

// What a question names. A document about something else may share all its other words.
struct Subjects {
  // Terms of capitalised words, and of words that hold a digit beside letters ("5G", "A320"). The
  // first word of a sentence is left out, unless it owns something ("Acme's ...") or another
  // capitalised word follows; so are words that the glossary knows ("CEO").
  std::vector<std::string> names;
  std::vector<std::string> years;  // "2019"
};

Subjects subjects_of(const Query& query);

// How well a passage's surroundings hold what a question names: 0..1, 1 when it names nothing.
struct SubjectFit {
  // The least of all names: 1 on the page, in the title or the name of its document, on the
  // document's first page; 0.5 elsewhere in the document; 0 nowhere in it.
  double names = 1;
  // The least of all years: 1 in the passage or what heads it; 0.5 on the page, in the title or the
  // name of the document; 0 elsewhere. A row under years of other columns has 0.
  double years = 1;
};

// Looks names up for the pages of a corpus.
class SubjectIndex {
 public:
  SubjectIndex(const session::Context& context, Subjects subjects);

  const Subjects& subjects() const { return subjects_; }
  SubjectFit fit(std::uint32_t dense_page, const Passage& passage) const;

 private:
  double name_fit(std::size_t name, std::uint32_t dense_page) const;
  double year_fit(std::size_t year, std::uint32_t dense_page, const Passage& passage) const;
  bool is_in_name(const std::string& term, std::uint32_t document) const;

  const session::Corpus& corpus_;
  Subjects subjects_;
  std::vector<std::vector<bool>> name_pages_, year_pages_;  // [subject][dense page]
};

}  // namespace fineprint::retrieve
