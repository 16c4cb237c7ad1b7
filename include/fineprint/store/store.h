// The store: one folder that holds all that was read from the documents.
//
//   catalog.sqlite            documents, pages (words as checksummed blobs), elements, chunks,
//                             postings, models, vector segments; WAL; schema version
//   vectors/<scorer>/<segment>.safetensors   append-only; counts once the catalogue names it
//
// One writer, many readers. Each document is committed whole, in one transaction. A reader sees the
// store as it was when it was opened, for as long as it is open.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/matrix.h"
#include "fineprint/score/bm25.h"

namespace fineprint::store {

// How a file looked when it was indexed: equal stamps mean that it need not even be hashed.
struct FileStamp {
  std::int64_t size = 0;
  std::int64_t mtime_ns = 0;
  bool operator==(const FileStamp&) const = default;
};

struct DocumentRow {
  std::int64_t id = 0;
  std::string doc;   // relative path: what citations name
  std::string path;  // absolute path when it was indexed
  std::string title;
  std::string hash;      // of the content
  std::string settings;  // hash of everything that shaped what is stored (OCR, chunking, models)
  FileStamp stamp;
  int page_count = 0;
  int ocr_pages = 0;
  bool reflowable = false;
};

// The terms of one document in one field. `frequencies[i]` are the postings of `terms[i]`, their
// units being page numbers minus one, or chunk ordinals, whichever the field counts.
struct FieldIndex {
  std::string field;  // "page", "chunk", ...
  std::vector<std::string> terms;
  std::vector<std::vector<score::Posting>> postings;
  std::vector<std::uint32_t> lengths;  // of every unit, in terms
};

// A document ready to be stored.
struct NewDocument {
  DocumentRow row;  // id is ignored
  DocumentInfo info;
  std::vector<Page> pages;
  std::vector<Chunk> chunks;
  std::vector<FieldIndex> fields;
  std::map<std::string, Matrix> vectors;  // scorer -> one row a chunk (or a page)
};

// A chunk as it is stored.
struct StoredChunk {
  std::int64_t document = 0;
  std::uint32_t ordinal = 0;  // within its document
  Chunk chunk;
};

// Rows of one document inside a mapped segment: row i belongs to chunk ordinal i.
struct VectorBlock {
  std::int64_t document = 0;
  std::size_t rows = 0;
  std::size_t dim = 0;
  const float* values = nullptr;  // [rows, dim], valid while the Store lives
};

// A model whose vectors are in the store; vectors of another one must not be compared with them.
struct ModelRow {
  std::string scorer;
  std::string name;  // for people
  std::string hash;  // of weights and everything that shapes its vectors
  std::size_t dim = 0;
};

enum class Mode { read, write };

struct Totals {
  std::int64_t documents = 0, pages = 0, chunks = 0, bytes = 0;
};

class Store {
 public:
  // `write` creates the folder when it is missing and takes the writer's lock; a second writer
  // gets Error(store). `read` on a folder without a catalogue throws Error(store) naming the
  // `index` command that makes one. A store of a newer version is refused.
  Store(const std::string& dir, Mode mode);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const std::string& dir() const;
  std::string id() const;  // made once when the store was created
  Totals totals() const;

  // --- reading; safe from several threads ---
  std::vector<DocumentRow> documents() const;  // by `doc`
  std::optional<DocumentRow> find(const std::string& doc) const;
  // Throws Error(store) when the page is missing or its checksum is wrong, naming the document.
  Page page(std::int64_t document, int number) const;
  StoredChunk chunk(std::int64_t document, std::uint32_t ordinal) const;
  std::vector<StoredChunk> chunks(std::int64_t document) const;
  std::vector<OutlineEntry> outline(std::int64_t document) const;
  // The page of every chunk, by document and then by ordinal.
  std::map<std::int64_t, std::vector<std::int32_t>> chunk_pages() const;

  // Calls `visit(document, postings)` for every document that holds `term` in `field`; units are
  // as they were put.
  void postings(
      const std::string& field, const std::string& term,
      const std::function<void(std::int64_t, std::span<const score::Posting>)>& visit) const;
  // Lengths of a document's units.
  std::map<std::int64_t, std::vector<std::uint32_t>> lengths(const std::string& field) const;

  // All vectors of a scorer, memory-mapped.
  std::vector<VectorBlock> vectors(const std::string& scorer) const;
  std::optional<ModelRow> model(const std::string& scorer) const;

  // --- writing ---
  // Stores the document in place of any earlier one of the same `row.doc`. All or nothing.
  void put(const NewDocument& document);
  // The file's time or place changed, its content did not: takes `path` and `stamp` of `row` over
  // into the document of the same `doc`.
  void restamp(const DocumentRow& row);
  void remove(const std::string& doc);
  // Throws Error(store) if the store has vectors of another model for this scorer.
  void register_model(const ModelRow& model);
  // Joins small vector segments and deletes files that the catalogue does not name.
  void compact();

  // Everything that is damaged, one line each, naming the document to index again. Empty: sound.
  std::vector<std::string> verify() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::store
