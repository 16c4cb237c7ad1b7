// Finds the words of the cells that a file states on the pages that it was laid out on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/markup/html_table.h"
#include "fineprint/pdf/document.h"

namespace fineprint::reading {

// A stated cell with its words, as indices into RawPage::words in reading order. Its first_word and
// word_count are not set.
struct PlacedCell {
  StatedCell cell;
  std::vector<std::uint32_t> words;
};

// The part of a stated table that is on one page, row by row.
struct PlacedTable {
  std::string caption;
  std::vector<PlacedCell> cells;
};

// The stated tables of one document whose running text was laid out on pages. The cells' texts are
// on the pages in the same order, so each cell is found by comparing characters.
class StatedTables {
 public:
  // Tables of fewer than two columns or two texts are left to the layout.
  explicit StatedTables(std::vector<markup::StatedTable> tables);

  // Returns the parts of tables on a page. A word that belongs to two cells, because nothing
  // separates them on the page, is cut in two. `load` returns another page of the document: where a
  // page goes on depends on the pages before, so they are loaded unless they were the last asked
  // for. A table whose texts differ from those on the page is left out, but
  // a few of its cells may be missing there.
  std::vector<PlacedTable> on_page(pdf::RawPage* page,
                                   const std::function<pdf::RawPage(int)>& load);

 private:
  struct Table {
    markup::StatedTable stated;
    std::vector<std::size_t> pieces;  // the cells that have text, in order
  };
  // Where the text goes on: characters before `offset` of a piece are on earlier pages.
  struct Place {
    std::size_t table = 0, piece = 0, offset = 0;
  };
  struct Match;

  std::vector<PlacedTable> place(pdf::RawPage* page);
  using Cuts = std::vector<std::pair<std::size_t, Word>>;  // words that were cut, and where
  Match match(pdf::RawPage* page, Place from, std::size_t word) const;
  Match compare(pdf::RawPage* page, Place from, std::size_t word, Cuts* cuts) const;
  bool take_piece(pdf::RawPage* page, Match* out, Cuts* cuts) const;
  static bool goes_on_with(const Table& table, std::size_t piece, std::u32string_view rest);
  Match find(pdf::RawPage* page, Place from, std::size_t word) const;

  std::vector<Table> tables_;
  Place at_;
  int next_page_ = 1;
};

}  // namespace fineprint::reading
