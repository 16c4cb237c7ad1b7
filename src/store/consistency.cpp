// Refuses documents that contradict themselves, before any of them reaches the disk.
#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/catalog.h"

namespace fineprint::store {

namespace {

void require(bool holds, const NewDocument& document, std::string_view what) {
  if (holds) return;
  throw Error(ErrorCode::internal,
              fineprint::format("{} cannot be stored: {}", document.row.doc, what));
}

// SQLite turns NaN into NULL; a page that claims one is wrong anyway.
bool finite(const Box& box) {
  return std::isfinite(box.x0) && std::isfinite(box.y0) && std::isfinite(box.x1) &&
         std::isfinite(box.y1);
}

bool within(std::uint64_t first, std::uint64_t count, std::size_t size) {
  return first + count <= size;
}

void check_page(const NewDocument& document, const Page& page) {
  require(std::isfinite(page.width_pt) && std::isfinite(page.height_pt), document,
          "a page size is not a number");
  for (const Line& line : page.lines) {
    require(within(line.first_word, line.word_count, page.words.size()), document,
            "a line names words that are not there");
  }
  for (const Element& element : page.elements) {
    require(finite(element.box), document, "the box of an element is not a number");
    require(within(element.first_line, element.line_count, page.lines.size()), document,
            "an element names lines that are not there");
    require(
        element.parent >= -1 && element.parent < static_cast<std::int64_t>(page.elements.size()),
        document, "an element names a parent that is not there");
  }
}

void check_chunk(const NewDocument& document, const Chunk& chunk) {
  require(chunk.page >= 1 && static_cast<std::size_t>(chunk.page) <= document.pages.size(),
          document, "a chunk names a page that is not there");
  const Page& page = document.pages[static_cast<std::size_t>(chunk.page) - 1];
  require(within(chunk.first_word, chunk.word_count, page.words.size()), document,
          "a chunk names words that are not there");
  require(finite(chunk.box), document, "the box of a chunk is not a number");
}

void check_field(const NewDocument& document, const FieldIndex& field) {
  require(field.terms.size() == field.postings.size(), document,
          "a field has not one posting list a term");
  for (const auto& postings : field.postings) {
    std::int64_t before = -1;
    for (const score::Posting& posting : postings) {
      require(posting.unit > before && posting.unit < field.lengths.size(), document,
              "units of a term are out of order or not there");
      before = posting.unit;
    }
  }
}

void check_vectors(const NewDocument& document, const Matrix& vectors) {
  require(vectors.rows == document.chunks.size() || vectors.rows == document.pages.size(), document,
          "there is not one vector a chunk or a page");
  require(vectors.values.size() == vectors.rows * vectors.cols, document,
          "vectors have not the size they name");
}

}  // namespace

void check_consistent(const NewDocument& document) {
  require(!document.row.doc.empty(), document, "it has no name");
  require(document.row.page_count == static_cast<int>(document.pages.size()), document,
          "its page count is not that of its pages");
  int expected = 1;
  for (const Page& page : document.pages) {
    require(page.number == expected++, document, "its pages are not numbered 1, 2, ...");
    check_page(document, page);
  }
  for (const Chunk& chunk : document.chunks) check_chunk(document, chunk);
  for (const FieldIndex& field : document.fields) check_field(document, field);
  for (const auto& [scorer, vectors] : document.vectors) check_vectors(document, vectors);
}

}  // namespace fineprint::store
