// Packs and unpacks the words and lines of a page.
#include "store/page_blob.h"

#include <algorithm>

#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "store/bytes.h"

namespace fineprint::store {

namespace {

// A page with hidden text has it after the lines, and the next version; one with stated cells has
// its hidden text, then the cells, and the version after that. All other pages keep theirs, so that
// most stores can still be read by programs that know only the first.
constexpr std::uint8_t kVersion = 1;
constexpr std::uint8_t kVersionWithHidden = 2;
constexpr std::uint8_t kVersionWithCells = 3;
constexpr std::size_t kChecksumBytes = 8;
// The smallest encodings, so that a damaged count is noticed before memory is allocated for it.
constexpr std::size_t kLeastWordBytes = 10;  // flags, length, x0, x1
constexpr std::size_t kLeastLineBytes = 2;   // flags, word count
constexpr std::size_t kLeastTableBytes = 2;  // element, number of cells
constexpr std::size_t kLeastCellBytes = 8;   // place, spans, head, words, text

enum WordFlag : std::uint8_t {
  kSameHeight = 1,  // y0 and y1 are those of the word before
  kSameSize = 2,    // the font size is that of the word before
  kBold = 4,
  kItalic = 8,
  kUnsure = 16,  // the confidence is not 1 and follows
};
constexpr std::uint8_t kWordFlags = 31;  // all of them; other bits mean damage

enum LineFlag : std::uint8_t {
  kFollows = 1,   // begins where the line before ended, so no first word is stored
  kUnionBox = 2,  // its box is the union of its words' boxes, so none is stored
};

// The box around some words of a page.
Box around(const Page& page, std::size_t first, std::size_t count) {
  Box box;
  for (std::size_t i = first; i < first + count; ++i) box = united(box, page.words[i].box);
  return box;
}

// Compares for exact equality: a flag must not change any coordinate, however slightly.
void write_word(const Word& word, const Word& before, ByteWriter* out) {
  const bool same_height = word.box.y0 == before.box.y0 && word.box.y1 == before.box.y1;
  const bool same_size = word.size_pt == before.size_pt;
  out->u8(static_cast<std::uint8_t>((same_height ? kSameHeight : 0) | (same_size ? kSameSize : 0) |
                                    (word.bold ? kBold : 0) | (word.italic ? kItalic : 0) |
                                    (word.confidence == 1 ? 0 : kUnsure)));
  out->text(word.text);
  out->f32(word.box.x0);
  out->f32(word.box.x1);
  if (!same_height) {
    out->f32(word.box.y0);
    out->f32(word.box.y1);
  }
  if (!same_size) out->f32(word.size_pt);
  if (word.confidence != 1) out->f32(word.confidence);
}

Word read_word(const Word& before, ByteReader* in) {
  Word word;
  const std::uint8_t flags = in->u8();
  if ((flags & ~kWordFlags) != 0) throw BlobDamage("a word has unknown flags");
  word.text = in->text();
  word.bold = (flags & kBold) != 0;
  word.italic = (flags & kItalic) != 0;
  word.box.x0 = in->f32();
  word.box.x1 = in->f32();
  const bool same_height = (flags & kSameHeight) != 0;
  word.box.y0 = same_height ? before.box.y0 : in->f32();
  word.box.y1 = same_height ? before.box.y1 : in->f32();
  word.size_pt = (flags & kSameSize) != 0 ? before.size_pt : in->f32();
  if ((flags & kUnsure) != 0) word.confidence = in->f32();
  return word;
}

// Most lines follow each other and have the union of their words' boxes. So most take two bytes.
void write_line(const Page& page, const Line& line, std::uint32_t follows, ByteWriter* out) {
  const bool is_union = around(page, line.first_word, line.word_count) == line.box;
  out->u8(static_cast<std::uint8_t>((line.first_word == follows ? kFollows : 0) |
                                    (is_union ? kUnionBox : 0)));
  if (line.first_word != follows) out->varint(line.first_word);
  out->varint(line.word_count);
  if (is_union) return;
  for (const float edge : {line.box.x0, line.box.y0, line.box.x1, line.box.y1}) out->f32(edge);
}

Line read_line(const Page& page, std::uint32_t follows, ByteReader* in) {
  Line line;
  const std::uint8_t flags = in->u8();
  line.first_word = (flags & kFollows) != 0 ? follows : in->varint32();
  line.word_count = in->varint32();
  // Checked before the words are used for the union box.
  if (std::uint64_t{line.first_word} + line.word_count > page.words.size()) {
    throw BlobDamage("a line refers to words that do not exist");
  }
  if ((flags & kUnionBox) != 0) {
    line.box = around(page, line.first_word, line.word_count);
  } else {
    for (float* edge : {&line.box.x0, &line.box.y0, &line.box.x1, &line.box.y1}) *edge = in->f32();
  }
  return line;
}

bool has_cells(const Element& element) { return !element.cells.empty(); }

void write_cells(const Page& page, ByteWriter* out) {
  out->varint(static_cast<std::uint64_t>(std::ranges::count_if(page.elements, has_cells)));
  for (std::size_t i = 0; i < page.elements.size(); ++i) {
    if (!has_cells(page.elements[i])) continue;
    out->varint(i);
    out->varint(page.elements[i].cells.size());
    for (const StatedCell& cell : page.elements[i].cells) {
      for (const std::uint32_t value :
           {std::uint32_t{cell.row}, std::uint32_t{cell.column}, std::uint32_t{cell.rows},
            std::uint32_t{cell.columns}, cell.first_word, cell.word_count}) {
        out->varint(value);
      }
      out->u8(cell.is_head ? 1 : 0);
      out->text(cell.text);
    }
  }
}

StatedCell read_cell(std::size_t words, ByteReader* in) {
  StatedCell cell;
  for (std::uint16_t* place : {&cell.row, &cell.column, &cell.rows, &cell.columns}) {
    *place = static_cast<std::uint16_t>(in->varint32());
  }
  cell.first_word = in->varint32();
  cell.word_count = in->varint32();
  cell.is_head = in->u8() != 0;
  cell.text = in->text();
  if (std::uint64_t{cell.first_word} + cell.word_count > words) {
    throw BlobDamage("a cell refers to words that do not exist");
  }
  return cell;
}

void read_cells(Page* page, ByteReader* in) {
  for (std::size_t tables = in->count(kLeastTableBytes); tables > 0; --tables) {
    const std::uint64_t element = in->varint();
    if (element >= page->elements.size()) throw BlobDamage("cells without an element");
    std::vector<StatedCell>& cells = page->elements[element].cells;
    cells.resize(in->count(kLeastCellBytes));
    for (StatedCell& cell : cells) cell = read_cell(page->words.size(), in);
  }
}

// Returns the payload if the checksum at the end is right. Throws BlobDamage if not.
std::span<const std::uint8_t> checked_payload(std::span<const std::uint8_t> blob) {
  if (blob.size() < kChecksumBytes) throw BlobDamage("it ends too early");
  const auto payload = blob.first(blob.size() - kChecksumBytes);
  if (ByteReader(blob.last(kChecksumBytes)).u64() != checksum(payload)) {
    throw BlobDamage("its checksum is wrong");
  }
  return payload;
}

}  // namespace

// Each word is written relative to the word before it; the first one is compared with an empty
// word.
std::string encode_page(const Page& page) {
  ByteWriter out;
  const bool cells = std::ranges::any_of(page.elements, has_cells);
  out.u8(cells ? kVersionWithCells : page.hidden.empty() ? kVersion : kVersionWithHidden);
  out.varint(static_cast<std::uint64_t>(page.number));
  out.varint(page.words.size());
  const Word none;
  for (std::size_t i = 0; i < page.words.size(); ++i) {
    write_word(page.words[i], i == 0 ? none : page.words[i - 1], &out);
  }
  out.varint(page.lines.size());
  std::uint32_t follows = 0;
  for (const Line& line : page.lines) {
    write_line(page, line, follows, &out);
    follows = line.first_word + line.word_count;
  }
  if (cells || !page.hidden.empty()) out.text(page.hidden);
  if (cells) write_cells(page, &out);
  out.u64(checksum(out.bytes()));
  return out.bytes();
}

// The page number is part of the blob, so that a blob in the wrong row is noticed.
void decode_page(std::span<const std::uint8_t> blob, Page* page) {
  ByteReader in(checked_payload(blob));
  const int version = in.u8();
  if (version < kVersion || version > kVersionWithCells) {
    throw BlobDamage(fineprint::format("this program does not know its version {}", version));
  }
  if (in.varint() != static_cast<std::uint64_t>(page->number)) {
    throw BlobDamage("it belongs to another page");
  }
  page->words.resize(in.count(kLeastWordBytes));
  const Word none;
  for (std::size_t i = 0; i < page->words.size(); ++i) {
    page->words[i] = read_word(i == 0 ? none : page->words[i - 1], &in);
  }
  page->lines.resize(in.count(kLeastLineBytes));
  std::uint32_t follows = 0;
  for (Line& line : page->lines) {
    line = read_line(*page, follows, &in);
    follows = line.first_word + line.word_count;
  }
  page->hidden = version >= kVersionWithHidden ? in.text() : std::string_view();
  if (version == kVersionWithCells) read_cells(page, &in);
  if (!in.at_end()) throw BlobDamage("it has bytes after its end");
}

}  // namespace fineprint::store
