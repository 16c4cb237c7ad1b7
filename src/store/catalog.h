// Rows of documents, pages, elements, chunks and outlines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

#include "store/sqlite.h"

namespace fineprint::store {

// Throws Error(internal) saying what does not fit together: for example, pages out of order or
// lines that refer to words that do not exist.
void check_consistent(const NewDocument& document);
// Checks vectors for `set` against the `units` (pages, chunks or elements) of the document `doc` in
// the same way. Throws Error(model) naming document and unit if a value is not finite, or too large
// for float16.
void check_consistent(const NewVectors& part, const VectorSet& set, const std::string& doc,
                      std::uint32_t units);

// Inserts everything but keyword fields and vectors. Returns the new id.
std::int64_t insert_document(Database& database, const NewDocument& document);
// Removes the rows that insert_document() inserted.
void remove_document(Database& database, std::int64_t document);
// Returns the text of the column `settings` of a file, which also holds the stamp's identity.
std::string stored_settings(const std::string& settings, const FileStamp& stamp);
// Cuts the stamp's identity off such a text and returns it, 0 if there is none.
std::uint64_t take_identity(std::string* settings);

// Records a new path and stamp. Updates the checksum of the row only if it was right before.
void restamp_document(Database& database, const DocumentRow& row);

// Return rows of documents: all by `doc`, or the one of a name or id, or nullopt if there is none.
std::vector<DocumentRow> read_documents(Database& database);
std::optional<DocumentRow> read_document(Database& database, const std::string& doc);
std::optional<DocumentRow> read_document(Database& database, std::int64_t id);
// Returns the document's `doc`, or a text like "document 7" if there is no such document.
std::string document_name(Database& database, std::int64_t id);
// Joins the texts of a query's first column for messages: for example "a.pdf, b.pdf and 7 more".
// Returns "no document" if there are no rows.
std::string first_names(Query& names);

// A page whose blob is not yet decoded: decoding needs no database, so it happens outside the lock.
struct PackedPage {
  Page page;  // everything but words and lines
  std::string blob;
  std::string name;  // "report.pdf, page 3", for messages
};
// Throws Error(store) if there is no such page.
PackedPage read_page(Database& database, std::int64_t document, int number);
std::vector<std::string> read_page_labels(Database& database, std::int64_t document);
// Decodes the blob. Throws Error(store) naming the page if it is damaged.
Page unpack(PackedPage packed);

// Returns all chunks of a document, or only the one of the given ordinal.
std::vector<StoredChunk> read_chunks(Database& database, std::int64_t document,
                                     std::optional<std::uint32_t> ordinal);
std::vector<OutlineEntry> read_outline(Database& database, std::int64_t document);

}  // namespace fineprint::store
