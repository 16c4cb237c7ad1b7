// Makes and compares the checksums of rows.
#include "store/row_sums.h"

#include <algorithm>

#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "store/bytes.h"

namespace fineprint::store {

namespace {

// A table whose rows carry their own sums, and the columns that each sum covers.
struct SummedTable {
  const char* name = "";
  const char* columns = "";
};

constexpr SummedTable kSummedTables[] = {
    {"meta", "key, value"},
    {"fields", "id, name"},
    {"vector_sets",
     "id, name, kind, unit, many_vectors, model, hash, input, spec, dim, format, pool_factor"},
    {"segments", "id, vector_set, file, checksum, row_count"},
    {"vectors",
     "document, vector_set, first_unit, units, segment, first_row, row_count, rows_of_unit"},
    {"page_graphs", "document, vector_set, similarity, neighbours, threshold, smallest, graph"},
    {"document_maps", "document, maker, map, element_count, element_pages"},
    {"unread_files", "doc, path, settings, size, mtime_ns, code, message"},
    {"postings_segments", "id, field, file, checksum, bytes, units"},
    {"postings_documents", "document, field, segment, units"},
};

// Includes the columns that have no field in DocumentRow, so that damage to them is noticed, too.
constexpr const char* kDocumentRow =
    "SELECT row_sum(id, doc, path, title, hash, settings, size, mtime_ns, page_count, ocr_pages, "
    "reflowable, languages, chunk_count, format, metadata_title) FROM documents WHERE id = ?";

// The other rows of a document. Each query has a fixed order, because the sum depends on it.
constexpr const char* kDocumentText[] = {
    "SELECT row_sum(number, label, width_pt, height_pt, rotation, source, language, problem, "
    "words) "
    "FROM pages WHERE document = ? ORDER BY number",
    "SELECT row_sum(page, ordinal, kind, x0, y0, x1, y1, first_line, line_count, parent, level, "
    "caption) FROM elements WHERE document = ? ORDER BY page, ordinal",
    "SELECT row_sum(ordinal, page, first_word, word_count, x0, y0, x1, y1, context, text) "
    "FROM chunks WHERE document = ? ORDER BY ordinal",
    "SELECT row_sum(ordinal, level, title, page) FROM outline WHERE document = ? ORDER BY ordinal",
    "SELECT row_sum(pages) FROM pages_of_chunks WHERE document = ?",
};

// Callers pass only names of this table.
const SummedTable& table_of(std::string_view name) {
  return *std::ranges::find(kSummedTables, name,
                            [](const SummedTable& table) { return std::string_view(table.name); });
}

// Returns 0 if the document does not exist.
std::int64_t sum_of_row(Database& database, std::int64_t document) {
  Query row = database.query(kDocumentRow);
  row.bind(document);
  return row.step() ? row.integer(0) : 0;
}

// Returns a checksum over the sums of all rows. Each table's sums come with their length, so that a
// row cannot move from one table to another unnoticed.
std::int64_t sum_of_text(Database& database, std::int64_t document) {
  ByteWriter all;
  for (const char* sql : kDocumentText) {
    ByteWriter sums;
    Query rows = database.query(sql);
    rows.bind(document);
    while (rows.step()) sums.u64(static_cast<std::uint64_t>(rows.integer(0)));
    all.text(sums.bytes());
  }
  return static_cast<std::int64_t>(checksum(all.bytes()));
}

}  // namespace

std::string row_sum_of(std::string_view table) {
  return fineprint::format("row_sum({})", table_of(table).columns);
}

std::int64_t damaged_rows(Database& database, std::string_view table) {
  return database.integer(
      fineprint::format("SELECT COUNT(*) FROM {} WHERE sum <> {}", table, row_sum_of(table)));
}

void sum_rows(Database& database, std::string_view table, std::string_view condition,
              std::int64_t id) {
  database
      .query(
          fineprint::format("UPDATE {} SET sum = {} WHERE {}", table, row_sum_of(table), condition))
      .bind(id)
      .run();
}

void drop_damaged_rows(Database& database, std::string_view table, std::string_view condition,
                       std::int64_t id) {
  database
      .query(fineprint::format("DELETE FROM {} WHERE {} AND sum <> {}", table, condition,
                               row_sum_of(table)))
      .bind(id)
      .run();
}

void sum_document(Database& database, std::int64_t document) {
  database.query("INSERT OR REPLACE INTO document_sums(document, row, text) VALUES(?,?,?)")
      .bind(document)
      .bind(sum_of_row(database, document))
      .bind(sum_of_text(database, document))
      .run();
}

void sum_document_row(Database& database, std::int64_t document) {
  database.query("UPDATE document_sums SET row = ? WHERE document = ?")
      .bind(sum_of_row(database, document))
      .bind(document)
      .run();
}

// A document without a sum counts as damaged, because put() always writes one.
bool row_is_sound(Database& database, std::int64_t document) {
  Query sums = database.query("SELECT row FROM document_sums WHERE document = ?");
  sums.bind(document);
  return sums.step() && sums.integer(0) == sum_of_row(database, document);
}

// Distinguishes the two sums: if only the text is damaged, the document's name can be trusted.
std::optional<std::string> fault_of_document(Database& database, std::int64_t document) {
  Query sums = database.query("SELECT row, text FROM document_sums WHERE document = ?");
  sums.bind(document);
  if (!sums.step()) return "they have no checksum";
  if (sums.integer(0) != sum_of_row(database, document)) {
    return "the checksum of its title, path and settings is wrong";
  }
  if (sums.integer(1) != sum_of_text(database, document)) {
    return "the checksum of its pages and chunks is wrong";
  }
  return std::nullopt;
}

}  // namespace fineprint::store
