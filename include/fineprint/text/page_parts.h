// The parts of a page that chunks, snippets and passages are made of: the lines and the text of an
// element, the headings above it, and sentences as runs of words.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/document.h"

namespace fineprint::text {

// The words [first, end) of Page::words.
struct WordRun {
  std::uint32_t first = 0, end = 0;
  std::uint32_t count() const { return end - first; }
  bool operator==(const WordRun&) const = default;
};

// Returns the lines of an element.
std::span<const Line> lines_of(const Page& page, const Element& element);

// Returns the run of words of consecutive lines, and {0, 0} if there are no lines.
WordRun run_of(std::span<const Line> lines);

// Returns the words of a run, joined as by append_word().
std::string joined_words(const Page& page, const WordRun& run);

// Returns the lines of an element, joined by single blanks.
std::string element_text(const Page& page, const Element& element);

// Returns the largest font size of an element, in points; 0 if it has no words.
float largest_size_pt(const Page& page, const Element& element);

// Returns the headings of the page that are above an element, outermost first, joined by single
// blanks; empty if there are none.
std::string headings_above(const Page& page, const Element& element);

// Returns whether a line above another is in a different table: a heading is between the two. A
// note of units in such a line does not apply to the lower one.
bool is_in_earlier_table(const Page& page, std::uint32_t line, std::uint32_t lower);

// Returns the sentences of a run of running text, in order, none of them empty. Together they cover
// the run: a word in which a sentence ends and the next one begins belongs to the first of them.
std::vector<WordRun> sentences_in(const Page& page, const WordRun& run);

}  // namespace fineprint::text
