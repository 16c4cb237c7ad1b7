// Pages as passages that a reader is shown, and the way back from these to the words.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/evidence/execution.h"
#include "fineprint/models/reader.h"

namespace fineprint::evidence {

struct PagePassage {
  models::ReaderPassage passage;
  // Words as places in Page::words. Of a text all of it, in order, and the byte at which each ends.
  std::vector<std::uint32_t> text_words;
  std::vector<std::uint32_t> ends;
  // Of a table the words of each cell; those of a head that spans columns are in each of these.
  std::vector<std::vector<std::vector<std::uint32_t>>> cell_words;

  // The words of a cell, or those that a span touches.
  std::vector<std::uint32_t> words_at(const Place& place) const;
  // All words, each once, ascending.
  std::vector<std::uint32_t> all_words() const;
};

// About how many word pieces a reader sees of it: for budgets.
std::size_t estimated_pieces(const models::ReaderPassage& passage);

// All passages of a page, in reading order. Sentences that follow each other under one heading are
// joined to some 60 to 180 words, with the headings above as context. Tables, and lines of figures
// that the layout did not take for one, are cut into cells, and into windows of rows below the same
// heads; their context is headings, caption, and the nearest line above that tells the units, which
// may stand far above. Running heads and feet are left out.
std::vector<PagePassage> page_passages(const Page& page);

}  // namespace fineprint::evidence
