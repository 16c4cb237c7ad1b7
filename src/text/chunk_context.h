// Finds the title and headings above a part of a page.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::text {

// Follows the headings through a document. Pages must be entered in order.
class HeadingTrail {
 public:
  HeadingTrail(const DocumentInfo& info, std::string title);

  // Makes `page` the current page.
  void enter_page(const Page& page);
  // Returns the title and headings above an element of the current page, outermost first, without
  // repeats.
  std::vector<std::string> above(std::size_t element) const;

 private:
  struct Heading {
    std::string text;
    float size_pt = 0;
    int level = 0;
    std::ptrdiff_t element = -1;  // on the current page; -1 if it is from an earlier page
  };
  void push(Heading heading);
  std::vector<std::string> outline_path(int page) const;

  const DocumentInfo& info_;
  std::string title_;
  std::vector<std::string> outline_;              // outline entries that cover the current page
  std::vector<Heading> open_;                     // headings whose section has not ended
  std::vector<std::vector<std::string>> trails_;  // for each element, the headings above it
};

// Joins parts as "A > B" with at most `max_tokens` tokens. If they do not fit, the innermost part
// is kept first, then the title (the first part), then the others from the inside out. A part that
// does not fit is cut between words.
std::string context_line(const std::vector<std::string>& parts,
                         const tokenizer::Tokenizer& tokenizer, std::size_t max_tokens);

// Returns the longest beginning of complete words that has at most `max_tokens` tokens.
std::string cut_to(const std::string& text, const tokenizer::Tokenizer& tokenizer,
                   std::size_t max_tokens);

// Returns the caption and first row of a table, for chunks of the table that do not contain them.
std::string table_context(const Page& page, const Element& table,
                          const tokenizer::Tokenizer& tokenizer, std::size_t max_tokens);

}  // namespace fineprint::text
