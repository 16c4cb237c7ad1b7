// Rejects documents that contradict themselves before any part of them reaches the disk.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

// SQLite would turn NaN into NULL, and no page has such a box.
bool finite(const Box& box) {
  return std::isfinite(box.x0) && std::isfinite(box.y0) && std::isfinite(box.x1) &&
         std::isfinite(box.y1);
}

// Sums in 64 bits, because two 32-bit numbers of a wrong document could wrap around.
bool within(std::uint64_t first, std::uint64_t count, std::size_t size) {
  return first + count <= size;
}

// Checks everything that points into the page, because later code uses these numbers as indices.
void check_page(const NewDocument& document, const Page& page) {
  require(std::isfinite(page.width_pt) && std::isfinite(page.height_pt), document,
          "a page size is not a number");
  for (const Line& line : page.lines) {
    require(within(line.first_word, line.word_count, page.words.size()), document,
            "a line refers to words that do not exist");
  }
  for (const Element& element : page.elements) {
    require(finite(element.box), document, "the box of an element is not a number");
    require(within(element.first_line, element.line_count, page.lines.size()), document,
            "an element refers to lines that do not exist");
    require(
        element.parent >= -1 && element.parent < static_cast<std::int64_t>(page.elements.size()),
        document, "an element refers to a parent that does not exist");
  }
}

// Checks the page before the words, since the words are counted on that page.
void check_chunk(const NewDocument& document, const Chunk& chunk) {
  require(chunk.page >= 1 && static_cast<std::size_t>(chunk.page) <= document.pages.size(),
          document, "a chunk refers to a page that does not exist");
  const Page& page = document.pages[static_cast<std::size_t>(chunk.page) - 1];
  require(within(chunk.first_word, chunk.word_count, page.words.size()), document,
          "a chunk refers to words that do not exist");
  require(finite(chunk.box), document, "the box of a chunk is not a number");
}

// Posting lists are stored as gaps between ascending units, so order matters.
void check_field(const NewDocument& document, const FieldIndex& field) {
  require(field.terms.size() == field.postings.size(), document,
          "a field needs exactly one posting list for each term");
  for (const auto& postings : field.postings) {
    std::int64_t before = -1;
    for (const score::Posting& posting : postings) {
      require(posting.unit > before && posting.unit < field.lengths.size(), document,
              "the units of a term are out of order or do not exist");
      before = posting.unit;
    }
  }
}

// The largest float32 that rounds to a finite float16.
constexpr float kLargestHalf = 65519.99F;

void require(bool holds, const NewVectors& part, const std::string& doc, std::string_view what) {
  if (holds) return;
  throw Error(
      ErrorCode::internal,
      fineprint::format("the vectors of units {} to {} of {} cannot be stored: {}", part.first_unit,
                        std::uint64_t{part.first_unit} + part.units, doc, what));
}

// Sets with one vector for each unit may still give counts, if all of them are 1.
void check_rows_of_unit(const NewVectors& part, const VectorSet& set, const std::string& doc) {
  const auto& rows = part.rows_of_unit;
  const bool one_each =
      std::all_of(rows.begin(), rows.end(), [](auto count) { return count == 1; });
  require(set.many_vectors || one_each, part, doc, "the set has exactly one vector for each unit");
  require(rows.empty() || rows.size() == part.units, part, doc,
          "the number of row counts is not the number of units");
  const std::uint64_t sum =
      rows.empty() ? part.units : std::accumulate(rows.begin(), rows.end(), std::uint64_t{0});
  require(sum == part.rows.rows, part, doc, "the number of rows is not the sum over the units");
}

// Finds the unit that a row belongs to. Runs only to report an error, so a linear walk is enough.
std::uint32_t unit_of(const NewVectors& part, std::size_t row) {
  if (part.rows_of_unit.empty()) return static_cast<std::uint32_t>(row);
  std::uint32_t unit = 0;
  for (std::size_t end = part.rows_of_unit[0]; end <= row; end += part.rows_of_unit[++unit]) {
  }
  return unit;
}

// One NaN of a broken model must not get into a store, because every search would meet it. The
// comparison is negated so that NaN, which compares false with everything, counts as bad.
void check_values(const NewVectors& part, const VectorSet& set, const std::string& doc) {
  const float largest =
      set.format.type == score::VectorType::f16 ? kLargestHalf : std::numeric_limits<float>::max();
  const auto& values = part.rows.values;
  const auto bad = std::find_if(values.begin(), values.end(),
                                [&](float value) { return !(std::abs(value) <= largest); });
  if (bad == values.end()) return;
  const auto row = static_cast<std::size_t>(bad - values.begin()) / part.rows.cols;
  const std::uint64_t unit = std::uint64_t{part.first_unit} + unit_of(part, row);
  const bool page = set.unit == VectorUnit::page;
  throw Error(ErrorCode::model,
              fineprint::format("the model {} returned a vector with the value {} for {} {} of {}, "
                                "so none of its vectors were stored: {}",
                                set.model, *bad, unit_name(set.unit), page ? unit + 1 : unit, doc,
                                std::isfinite(*bad) ? "store its vectors as bfloat16 or float32"
                                                    : "use another model or data type"));
}

// Tokens are whole numbers below the vocabulary's size and ascend within a unit.
void check_sparse_rows(const NewVectors& part, const VectorSet& set, const std::string& doc) {
  std::size_t row = 0;
  for (std::uint32_t unit = 0; unit < part.units; ++unit) {
    const std::size_t end = row + (part.rows_of_unit.empty() ? 1 : part.rows_of_unit[unit]);
    float before = -1;
    for (; row < end; ++row) {
      const float token = part.rows.row(row)[0];
      require(token > before && token == std::floor(token) && token < static_cast<float>(set.dim),
              part, doc, "their tokens do not ascend, or are not of the vocabulary");
      require(part.rows.row(row)[1] >= 0, part, doc, "a weight is negative");
      before = token;
    }
  }
}

}  // namespace

void check_consistent(const NewDocument& document) {
  require(!document.row.doc.empty(), document, "it has no name");
  require(document.row.page_count == static_cast<int>(document.pages.size()), document,
          "its page count differs from the number of its pages");
  int expected = 1;
  for (const Page& page : document.pages) {
    require(page.number == expected++, document, "its pages are not numbered 1, 2, ...");
    check_page(document, page);
  }
  for (const Chunk& chunk : document.chunks) check_chunk(document, chunk);
  for (const FieldIndex& field : document.fields) check_field(document, field);
}

void check_consistent(const NewVectors& part, const VectorSet& set, const std::string& doc,
                      std::uint32_t units) {
  const std::size_t columns = is_sparse(set) ? kSparseColumns : set.dim;
  require(part.rows.cols == columns, part, doc, "their dimension is not that of the set");
  require(part.rows.values.size() == part.rows.rows * part.rows.cols, part, doc,
          "the number of values is not rows times columns");
  require(within(part.first_unit, part.units, units), part, doc, "the document has fewer units");
  check_rows_of_unit(part, set, doc);
  check_values(part, set, doc);
  if (is_sparse(set)) check_sparse_rows(part, set, doc);
}

}  // namespace fineprint::store
