// Rows of documents, pages, elements, chunks and outlines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

#include "store/sqlite.h"

namespace fineprint::store {

// Throws Error(internal) naming what does not fit together: pages out of order, lines that name
// words that are not there, ...
void check_consistent(const NewDocument& document);
// The same of vectors for `set` and the `units` (pages or chunks) of the document `doc`. Throws
// Error(model) naming document and unit where a value is not finite, or too large for float16.
void check_consistent(const NewVectors& part, const VectorSet& set, const std::string& doc,
                      std::uint32_t units);

// Inserts everything but keyword fields and vectors; returns the new id.
std::int64_t insert_document(Database& database, const NewDocument& document);
// Removes the same rows.
void remove_document(Database& database, std::int64_t document);
void restamp_document(Database& database, const DocumentRow& row);

std::vector<DocumentRow> read_documents(Database& database);
std::optional<DocumentRow> read_document(Database& database, const std::string& doc);
std::optional<DocumentRow> read_document(Database& database, std::int64_t id);
// Its `doc`; "document 7" when there is none.
std::string document_name(Database& database, std::int64_t id);
// The texts of a query's first column: "a.pdf, b.pdf and 7 more", or "no document".
std::string first_names(Query& names);

// A page whose blob is still packed: decoding needs no database and so no lock.
struct PackedPage {
  Page page;  // all but words and lines
  std::string blob;
  std::string name;  // "report.pdf, page 3", for messages
};
// Throws Error(store) when there is no such page.
PackedPage read_page(Database& database, std::int64_t document, int number);
std::vector<std::string> read_page_labels(Database& database, std::int64_t document);
// Throws Error(store) naming the page when it is damaged.
Page unpack(PackedPage packed);

// All of a document's chunks, or the one of the given ordinal.
std::vector<StoredChunk> read_chunks(Database& database, std::int64_t document,
                                     std::optional<std::uint32_t> ordinal);
std::vector<OutlineEntry> read_outline(Database& database, std::int64_t document);

}  // namespace fineprint::store
