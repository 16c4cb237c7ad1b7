// Under which title and headings a piece of a page stands.
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::text {

// Follows the headings through a document. Pages are to be entered in order.
class HeadingTrail {
 public:
  HeadingTrail(const DocumentInfo& info, std::string title);

  void enter_page(const Page& page);
  // Title and headings above an element of the page entered last, outermost first, each once.
  std::vector<std::string> above(std::size_t element) const;

 private:
  struct Heading {
    std::string text;
    float size_pt = 0;
    int level = 0;
    std::ptrdiff_t element = -1;  // of the page entered last; -1 for an earlier page
  };
  void push(Heading heading);
  std::vector<std::string> outline_path(int page) const;

  const DocumentInfo& info_;
  std::string title_;
  std::vector<std::string> outline_;              // the entries that cover this page
  std::vector<Heading> open_;                     // headings that are not closed yet
  std::vector<std::vector<std::string>> trails_;  // an element -> headings above it
};

// "A > B" of at most `max_tokens`: the innermost part stays longest, then the first, which is the
// title; a part that does not fit is cut between words.
std::string context_line(const std::vector<std::string>& parts,
                         const tokenizer::Tokenizer& tokenizer, std::size_t max_tokens);

// The caption and first row of a table, for those of its chunks that do not hold them.
std::string table_context(const Page& page, const Element& table,
                          const tokenizer::Tokenizer& tokenizer, std::size_t max_tokens);

}  // namespace fineprint::text
