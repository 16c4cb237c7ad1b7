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
// words that are not there, vectors of another count than chunks or pages, ...
void check_consistent(const NewDocument& document);

// Inserts everything but postings and vectors; returns the new id.
std::int64_t insert_document(Database& database, const NewDocument& document);
// Removes the same rows.
void remove_document(Database& database, std::int64_t document);
void restamp_document(Database& database, const DocumentRow& row);

std::vector<DocumentRow> read_documents(Database& database);
std::optional<DocumentRow> read_document(Database& database, const std::string& doc);

// A page whose blob is still packed: decoding needs no database and so no lock.
struct PackedPage {
  Page page;  // all but words and lines
  std::string blob;
  std::string name;  // "report.pdf, page 3", for messages
};
// Throws Error(store) when there is no such page.
PackedPage read_page(Database& database, std::int64_t document, int number);
// Throws Error(store) naming the page when it is damaged.
Page unpack(PackedPage packed);

// All of a document's chunks, or the one of the given ordinal.
std::vector<StoredChunk> read_chunks(Database& database, std::int64_t document,
                                     std::optional<std::uint32_t> ordinal);
std::vector<OutlineEntry> read_outline(Database& database, std::int64_t document);

}  // namespace fineprint::store
