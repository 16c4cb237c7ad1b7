// Compares the texts of stated cells with the words of pages.
#include "reading/stated_tables.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "fineprint/core/superscripts.h"
#include "fineprint/core/unicode.h"

namespace fineprint::reading {
namespace {

// Tables that are looked for after one that was not found, because its text differs on the page.
constexpr std::size_t kTablesAhead = 8;

// White space, and characters that leave no ink.
bool is_unseen(char32_t c) {
  return c <= 0x20 || c == 0x7F || c == 0xAD || (c >= 0x200B && c <= 0x200F) || c == 0xFEFF ||
         is_space(c);
}

bool runs_leftwards(char32_t c) {
  return (c >= 0x590 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDFF) || (c >= 0xFE70 && c <= 0xFEFC);
}

// Styles may turn small letters into capitals, and raised brackets may be read as plain ones.
char32_t comparable(char32_t c) {
  const char32_t plain = plain_of_superscript(c);
  if (plain != 0) c = plain;
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

std::u32string seen(std::string_view text) {
  std::u32string out;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, &at);
    if (!is_unseen(c)) out += comparable(c);
  }
  return out;
}

// Bullets are drawn by lists in cells; the file does not have them as text.
bool is_bullet(std::u32string_view word) { return word == U"•" || word == U"◦" || word == U"▪"; }

// Returns whether the texts agree. The order of words that run from right to left may differ.
bool agree(std::u32string_view on_page, std::u32string_view stated) {
  if (on_page == stated) return true;
  if (on_page.size() != stated.size() || !std::ranges::any_of(stated, runs_leftwards)) {
    return false;
  }
  std::u32string a(on_page), b(stated);
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b;
}

bool may_begin(std::u32string_view stated, std::u32string_view on_page) {
  return stated.starts_with(on_page) || std::ranges::any_of(stated, runs_leftwards);
}

// Cuts a word after `characters` of its seen characters. The boxes share its width in proportion.
void cut_word(pdf::RawPage* page, std::size_t index, std::size_t characters) {
  const Word whole = page->words[index];
  std::size_t at = 0, count = 0;
  while (at < whole.text.size() && count < characters) {
    if (!is_unseen(next_code_point(whole.text, &at))) ++count;
  }
  const float share = static_cast<float>(characters) /
                      static_cast<float>(std::max<std::size_t>(1, seen(whole.text).size()));
  Word first = whole, second = whole;
  first.text.resize(at);
  second.text.erase(0, at);
  first.box.x1 = second.box.x0 = whole.box.x0 + share * whole.box.width();
  const auto place = static_cast<std::ptrdiff_t>(index);
  page->words[index] = std::move(first);
  page->words.insert(page->words.begin() + place + 1, std::move(second));
  page->line_of_word.insert(page->line_of_word.begin() + place, page->line_of_word[index]);
  page->block_of_word.insert(page->block_of_word.begin() + place, page->block_of_word[index]);
}

// Undoes cut_word.
void join_word(pdf::RawPage* page, std::size_t index, const Word& whole) {
  const auto second = static_cast<std::ptrdiff_t>(index) + 1;
  page->words[index] = whole;
  page->words.erase(page->words.begin() + second);
  page->line_of_word.erase(page->line_of_word.begin() + second);
  page->block_of_word.erase(page->block_of_word.begin() + second);
}

// Makes the part of a table on one page of all its cells.
class PartMaker {
 public:
  // `words` are those of each cell on this page, and `unseen` the cells that it does not show. The
  // page has the rows [first, end).
  PartMaker(const markup::StatedTable& table,
            const std::map<std::size_t, std::vector<std::uint32_t>>& words,
            const std::set<std::size_t>& unseen, int first, int end)
      : table_(table),
        words_(words),
        unseen_(unseen),
        first_(first),
        end_(end),
        heads_(std::min(markup::head_rows(table.cells), first)) {}

  PlacedTable make() {
    PlacedTable part{.caption = table_.caption, .cells = {}};
    for (std::size_t i = 0; i < table_.cells.size(); ++i) {
      const markup::TableCell& cell = table_.cells[i];
      if (cell.row < heads_) {
        part.cells.push_back(placed(i, cell.row, std::min(cell.rows, heads_ - cell.row)));
        if (cell.row + cell.rows > first_) add_rest(i, &part);
      } else if (cell.row < first_) {
        if (cell.row + cell.rows > first_) add_rest(i, &part);
      } else if (cell.row < end_) {
        const int rows = std::min(cell.rows, end_ - cell.row);
        part.cells.push_back(placed(i, heads_ + cell.row - first_, rows));
      }
    }
    std::ranges::stable_sort(part.cells, {}, [](const PlacedCell& one) {
      return std::pair(one.cell.row, one.cell.column);
    });
    return part;
  }

 private:
  // Adds the rest of a cell that began on an earlier page.
  void add_rest(std::size_t i, PlacedTable* part) {
    const markup::TableCell& cell = table_.cells[i];
    part->cells.push_back(placed(i, heads_, std::min(cell.row + cell.rows, end_) - first_));
  }

  PlacedCell placed(std::size_t i, int row, int rows) {
    const auto small = [](int value) {
      return static_cast<std::uint16_t>(std::clamp(value, 0, 65'535));
    };
    const markup::TableCell& cell = table_.cells[i];
    PlacedCell out;
    out.cell.row = small(row);
    out.cell.column = small(cell.column);
    out.cell.rows = small(std::max(1, rows));
    out.cell.columns = small(std::max(1, cell.columns));
    out.cell.is_head = cell.is_head;
    const auto found = words_.find(i);
    if (found != words_.end()) out.words = found->second;
    if (out.words.empty() && !unseen_.contains(i)) out.cell.text = one_line(cell.text);
    return out;
  }

  const markup::StatedTable& table_;
  const std::map<std::size_t, std::vector<std::uint32_t>>& words_;
  const std::set<std::size_t>& unseen_;
  int first_, end_, heads_;
};

}  // namespace

// The words of one table on a page.
struct StatedTables::Match {
  bool found = false;
  Place next;            // where the text goes on after it
  std::size_t word = 0;  // the first word after it
  std::size_t last_piece = 0;
  std::set<std::size_t> unseen;                             // cells that the page does not show
  std::map<std::size_t, std::vector<std::uint32_t>> words;  // by cell
};

StatedTables::StatedTables(std::vector<markup::StatedTable> tables) {
  for (markup::StatedTable& stated : tables) {
    Table table{.stated = std::move(stated), .pieces = {}};
    for (std::size_t i = 0; i < table.stated.cells.size(); ++i) {
      if (!seen(table.stated.cells[i].text).empty()) table.pieces.push_back(i);
    }
    const bool is_table = markup::extent_of(table.stated.cells).second >= 2;
    if (is_table && table.pieces.size() >= 2) tables_.push_back(std::move(table));
  }
}

// Compares words from `word` with the pieces from `from`, to the end of the table or of the page.
// Words that were cut are whole again if nothing is found.
StatedTables::Match StatedTables::match(pdf::RawPage* page, Place from, std::size_t word) const {
  Cuts cuts;
  Match found = compare(page, from, word, &cuts);
  if (found.found) return found;
  for (; !cuts.empty(); cuts.pop_back()) join_word(page, cuts.back().first, cuts.back().second);
  return found;
}

StatedTables::Match StatedTables::compare(pdf::RawPage* page, Place from, std::size_t word,
                                          Cuts* cuts) const {
  const std::size_t pieces = tables_[from.table].pieces.size();
  Match out{.found = false,
            .next = from,
            .word = word,
            .last_piece = from.piece,
            .unseen = {},
            .words = {}};
  std::size_t seen_pieces = 0;
  // An offset after a piece means that the page has ended in it.
  for (bool begins = true;
       out.next.piece < pieces && out.word < page->words.size() && (begins || out.next.offset == 0);
       begins = false) {
    if (take_piece(page, &out, cuts)) {
      ++seen_pieces;
      continue;
    }
    // A few cells may not be shown, but not the first.
    if (seen_pieces == 0 || 4 * (out.unseen.size() + 1) > seen_pieces) return out;
    out.unseen.insert(tables_[from.table].pieces[out.next.piece++]);
  }
  const bool whole = out.next.piece == pieces;
  // Two texts at the end of a page are hardly there by chance.
  const bool enough = from.piece > 0 || from.offset > 0 || seen_pieces >= 2;
  out.found = whole || (enough && out.word == page->words.size());
  if (whole) out.next = {.table = from.table + 1, .piece = 0, .offset = 0};
  return out;
}

// Takes the words of the next piece, or of its beginning if the page ends. Returns false and takes
// none if the words differ from it.
bool StatedTables::take_piece(pdf::RawPage* page, Match* out, Cuts* cuts) const {
  const Table& table = tables_[out->next.table];
  const std::size_t cell = table.pieces[out->next.piece];
  // Made anew each time, because all texts of a large sheet would take too much memory.
  const std::u32string text = seen(table.stated.cells[cell].text);
  const std::u32string_view rest = std::u32string_view(text).substr(out->next.offset);
  std::u32string got;
  std::vector<std::uint32_t> words;
  std::size_t word = out->word;
  for (; got.size() < rest.size() && word < page->words.size(); ++word) {
    std::u32string next = seen(page->words[word].text);
    const bool is_drawn = is_bullet(next) && !rest.substr(got.size()).starts_with(next);
    if (!is_drawn) {
      const std::size_t room = rest.size() - got.size();
      if (next.size() > room) {
        if (!goes_on_with(table, out->next.piece + 1, next.substr(room))) return false;
        next.resize(room);
        if (got + next != rest) return false;
        cuts->emplace_back(word, page->words[word]);
        cut_word(page, word, room);
      }
      got += next;
      if (!may_begin(rest, got)) return false;
    }
    words.push_back(static_cast<std::uint32_t>(word));
  }
  const bool is_whole = got.size() == rest.size();
  if (is_whole && !agree(got, rest)) return false;
  out->words[cell] = std::move(words);
  out->word = word;
  out->last_piece = out->next.piece;
  out->next.piece += is_whole ? 1 : 0;
  out->next.offset = is_whole ? 0 : out->next.offset + got.size();
  return true;
}

// Returns whether the text of a piece and the rest of a word agree as far as both go.
bool StatedTables::goes_on_with(const Table& table, std::size_t piece, std::u32string_view rest) {
  if (piece >= table.pieces.size()) return false;
  const std::u32string text = seen(table.stated.cells[table.pieces[piece]].text);
  return text.starts_with(rest) || rest.starts_with(text);
}

// Finds a table that begins at a line from `word` on, or goes on there.
StatedTables::Match StatedTables::find(pdf::RawPage* page, Place from, std::size_t word) const {
  const bool goes_on = from.piece > 0 || from.offset > 0;
  if (goes_on) return match(page, from, word);
  for (std::size_t start = word; start < page->words.size(); ++start) {
    if (start > 0 && page->line_of_word[start] == page->line_of_word[start - 1]) continue;
    if (Match found = match(page, from, start); found.found) return found;
  }
  return {};
}

std::vector<PlacedTable> StatedTables::place(pdf::RawPage* page) {
  std::vector<PlacedTable> parts;
  std::size_t word = 0;
  while (at_.table < tables_.size() && word < page->words.size()) {
    Match found;
    Place from = at_;
    for (; from.table < std::min(tables_.size(), at_.table + kTablesAhead);
         from = {from.table + 1}) {
      found = find(page, from, word);
      if (found.found) break;
    }
    if (!found.found) {
      // A table that does not go on where it should is lost; one that has not begun is on a later
      // page.
      if (at_.piece > 0 || at_.offset > 0) at_ = {at_.table + 1};
      break;
    }
    const Table& table = tables_[from.table];
    const auto row_of = [&](std::size_t piece) {
      return table.stated.cells[table.pieces[piece]].row;
    };
    const bool begins = from.piece == 0 && from.offset == 0;
    const bool ends = found.next.table > from.table;
    const int first = begins ? 0 : row_of(from.piece);
    const int end =
        ends ? markup::extent_of(table.stated.cells).first : row_of(found.last_piece) + 1;
    parts.push_back(PartMaker(table.stated, found.words, found.unseen, first, end).make());
    at_ = found.next;
    word = found.word;
  }
  return parts;
}

std::vector<PlacedTable> StatedTables::on_page(pdf::RawPage* page,
                                               const std::function<pdf::RawPage(int)>& load) {
  if (tables_.empty()) return {};
  if (page->number < next_page_) {
    at_ = {};
    next_page_ = 1;
  }
  for (; next_page_ < page->number; ++next_page_) {
    pdf::RawPage before = load(next_page_);
    place(&before);
  }
  ++next_page_;
  return place(page);
}

}  // namespace fineprint::reading
