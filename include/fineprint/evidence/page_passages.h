// Cuts pages into passages for a QA model, and finds the words of what it points at.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/evidence/execution.h"
#include "fineprint/models/qa_model.h"

namespace fineprint::evidence {

// A passage and where its words are on the page.
struct PagePassage {
  models::QaPassage passage;
  // Indices in Page::words. For a text: all of its words, in order, and the byte at which each
  // ends.
  std::vector<std::uint32_t> text_words;
  std::vector<std::uint32_t> ends;
  // For a table: the words of each cell. The words of a head that spans columns are in each of its
  // cells.
  std::vector<std::vector<std::vector<std::uint32_t>>> cell_words;

  // Returns the words of a cell, or the words that a span touches.
  std::vector<std::uint32_t> words_at(const Place& place) const;
  // Returns all words, each once, ascending.
  std::vector<std::uint32_t> all_words() const;
};

// Returns about how many word pieces a QA model reads for the passage; used for budgets.
std::size_t estimated_pieces(const models::QaPassage& passage);

// Returns all passages of a page in reading order. Consecutive sentences under one heading are
// joined to about 60 to 180 words, with the headings above as context. Tables, and lines of figures
// that the layout did not recognise as one, are cut into cells and into windows of rows below the
// same heads. Their context is the headings, the caption, and the nearest line above that states
// the units, however far above it is. Running heads and feet are omitted.
std::vector<PagePassage> page_passages(const Page& page);

}  // namespace fineprint::evidence
