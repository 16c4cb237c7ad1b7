// The store: one folder that holds all that was read from the documents.
//
//   catalog.sqlite            documents, pages (words as checksummed blobs), elements, chunks,
//                             vector sets, page graphs, maps, segments; checksums over all rows;
//                             WAL; schema version
//   vectors/<set>/<segment>.safetensors      append-only; counts once the catalogue names it
//   postings/<field>/<segment>.postings      the same, of the keyword index
//
// One writer, many readers. The text of a document is committed whole, in one transaction; its
// vectors follow, set by set, in parts that are each committed whole. A reader sees the store as it
// was when it was opened, for as long as it is open.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/core/matrix.h"
#include "fineprint/score/bm25.h"
#include "fineprint/score/page_graph.h"
#include "fineprint/score/vector_rows.h"
#include "fineprint/store/postings_segment.h"

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
  std::string format;    // "PDF 1.7"; `put` takes it from DocumentInfo
  std::string hash;      // of the content
  std::string settings;  // hash of everything that shaped what is stored (OCR, chunking, models)
  FileStamp stamp;
  int page_count = 0;
  int ocr_pages = 0;
  int waiting_pages = 0;  // that OCR has yet to read; their words, or some of them, are not here
  bool reflowable = false;
  std::vector<std::string> languages;  // of its pages (see Page); `put` takes them from there
};

// The terms of one document in one field. `frequencies[i]` are the postings of `terms[i]`, their
// units being page numbers minus one, or chunk ordinals, whichever the field counts.
struct FieldIndex {
  std::string field;  // "page", "chunk", ...
  std::vector<std::string> terms;
  std::vector<std::vector<score::Posting>> postings;
  std::vector<std::uint32_t> lengths;  // of every unit, in terms
};

// A document ready to be stored; its vectors are stored by put_vectors.
struct NewDocument {
  DocumentRow row;  // id is ignored
  DocumentInfo info;
  std::vector<Page> pages;
  std::vector<Chunk> chunks;
  std::vector<FieldIndex> fields;
};

// A chunk as it is stored.
struct StoredChunk {
  std::int64_t document = 0;
  std::uint32_t ordinal = 0;  // within its document
  Chunk chunk;
};

// What a vector set has vectors of. Unit numbers: page number minus one; chunk ordinal; place of an
// element (figure, table, chart) in its document's map.
enum class VectorUnit { page, chunk, element };
// "page", "chunk", "element".
const char* unit_name(VectorUnit unit);

// How vectors lie on disk. With `keep_exact`, i8 codes have their float32 originals beside them, so
// that what the codes find can be rescored exactly.
struct VectorFormat {
  score::VectorType type = score::VectorType::f32;
  bool keep_exact = false;  // with i8 only
  bool operator==(const VectorFormat&) const = default;
};
// "float32", "float16", "bfloat16", "int8", "int8+float32", and back; nullopt for another name.
std::string to_string(const VectorFormat& format);
std::optional<VectorFormat> parse_vector_format(std::string_view name);

// The vectors that one model gave for the units of all documents. Several sets, also of one kind,
// lie side by side; vectors of two sets are never compared.
struct VectorSet {
  std::string name;  // unique in the store: a kind, or a kind and a number ("late-2")
  std::string kind;  // "text", "page", "late", "late-text": what scorers look for
  VectorUnit unit = VectorUnit::chunk;
  bool many_vectors = false;  // several rows a unit
  std::string model;          // for people
  std::string hash;           // Encoder::hash(): weights and all that shapes its vectors
  std::string input;          // how units are shown to it ("144 dpi, 1344x1344"); empty: as text
  std::string spec;           // that opens the model again; empty: the default one
  std::size_t dim = 0;
  VectorFormat format;
  int pool_factor = 1;  // token pooling before storing; 1: none
};

// The set of the same model beside a set of pages or chunks that has vectors of elements: "late"
// has "late-elements". Both lie in one space, so that their scores compare.
std::string elements_set(const std::string& set);
// Whether the set has a vector of each chunk, by a sentence encoder: those that a search makes as
// it needs them.
bool is_of_chunk_texts(const VectorSet& set);

// Vectors of units [first_unit, first_unit + units) of a document, to be stored.
struct NewVectors {
  std::int64_t document = 0;
  std::uint32_t first_unit = 0;
  std::uint32_t units = 0;
  std::vector<std::uint32_t> rows_of_unit;  // sums to rows.rows; empty: one row a unit
  Matrix rows;
};

// The same inside a mapped segment; valid while the Store lives.
struct VectorBlock {
  std::int64_t document = 0;
  std::uint32_t first_unit = 0;
  std::uint32_t units = 0;
  std::vector<std::uint32_t> first_row;  // of each unit and the end; [units + 1]
  score::VectorRows rows;
  std::optional<score::VectorRows> exact;  // the float32 originals, where they are kept
  std::span<const float> errors;           // with `exact`: |original - decoded| of each row
};

// Units of a document that a set has no vectors of.
struct UnitRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  bool operator==(const UnitRange&) const = default;
};

// Which pages of a document resemble each other by the vectors of one set.
struct StoredGraph {
  score::GraphOptions options;
  score::PageGraph neighbours;
};

// The structural map of a document, as its maker wrote it.
struct StoredMap {
  std::string maker;  // all that shaped it besides the document: equal makers make equal maps
  std::string json;
  std::vector<std::int32_t> element_pages = {};  // the page of each of its elements, in their order
};

// A file of which nothing could be read, and how it looked then. The document that an earlier state
// of the file gave may be in the store all the same.
struct UnreadFile {
  std::string doc;       // what it would be named by
  std::string path;      // absolute
  std::string settings;  // hash of everything that might make it readable
  FileStamp stamp;
  ErrorCode code = ErrorCode::internal;
  std::string message;
};

enum class Mode { read, write };

// Error(store): another process is writing to the store.
class InUse : public Error {
 public:
  explicit InUse(const std::string& dir);
};

// Error(store): the catalogue's format is that of another version of the program.
class OtherFormat : public Error {
 public:
  OtherFormat(const std::string& catalog, std::int64_t format);
};

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

  // Everything below is safe from several threads.
  // --- reading ---
  std::vector<DocumentRow> documents() const;  // by `doc`
  std::optional<DocumentRow> find(const std::string& doc) const;
  // Throws Error(store) when the page is missing or its checksum is wrong, naming the document.
  Page page(std::int64_t document, int number) const;
  // The printed labels of its pages, by number; empty where a page has none.
  std::vector<std::string> page_labels(std::int64_t document) const;
  StoredChunk chunk(std::int64_t document, std::uint32_t ordinal) const;
  std::vector<StoredChunk> chunks(std::int64_t document) const;
  std::vector<OutlineEntry> outline(std::int64_t document) const;
  // The page of every chunk, by document and then by ordinal.
  std::map<std::int64_t, std::vector<std::int32_t>> chunk_pages() const;
  // The same of every element of the maps that there are.
  std::map<std::int64_t, std::vector<std::int32_t>> element_pages() const;

  // Numbers of the pages that could not be read, or not whole, by document; see Page::problem.
  std::map<std::int64_t, std::vector<int>> pages_with_problems() const;
  std::vector<UnreadFile> unread_files() const;  // by `doc`

  // The segments of a field of the keyword index; kept open while the Store lives.
  std::vector<std::shared_ptr<const PostingsSegment>> postings(const std::string& field) const;

  std::vector<VectorSet> vector_sets() const;  // by name
  // All vectors of a set, memory-mapped, by document and unit; none when there is no such set.
  // Throws Error(store) naming the documents to index again when a segment is missing or damaged.
  std::vector<VectorBlock> vectors(const std::string& set) const;
  // Of every document that lacks any, by id; units without content (a chunk set of a document
  // without chunks, elements of one without a map) are not missing. Vectors in a file that is gone
  // are missing: so deleting a damaged file is how they are made anew. Throws Error(internal) when
  // there is no such set.
  std::map<std::int64_t, std::vector<UnitRange>> missing_vectors(const std::string& set) const;
  // How many units of each document have vectors, by set, as the catalogue has it: whether their
  // files are whole is not looked at.
  std::map<std::int64_t, std::map<std::string, std::int64_t>> vector_counts() const;
  // Documents that have a map.
  std::set<std::int64_t> mapped_documents() const;
  // nullopt when none was stored since the document's pages or vectors changed.
  std::optional<StoredGraph> page_graph(std::int64_t document, const std::string& set) const;
  // nullopt when none was stored since the document was put. Throws Error(store) when it is
  // damaged.
  std::optional<StoredMap> document_map(std::int64_t document) const;

  // --- writing ---
  // Stores the document in place of any earlier one of the same `row.doc`. Vectors of its chunks
  // go, and its map with vectors of elements; those of its pages, and graphs over them, stay when
  // `row.hash` and the page count are those of the earlier one. All or nothing. Returns the new id.
  std::int64_t put(const NewDocument& document);
  // The file's time or place changed, its content did not: takes `path` and `stamp` of `row` over
  // into the document of the same `doc`.
  void restamp(const DocumentRow& row);
  // Removes a document with all that was made of it, and forgets an unread file of this name.
  // Nothing happens when there is neither. What it took of the disk is given back by compact(), of
  // vectors once half of what lies in a file is dead.
  void remove(const std::string& doc);
  // The same of several: all or nothing.
  void remove_all(const std::vector<std::string>& docs);
  // Remembers that nothing of the file could be read, until it is put or forgotten.
  void put_unread(const UnreadFile& file);
  void forget_unread(const std::string& doc);
  // Adds a set, or brings the one of the same name up to date. Throws Error(store) when that one
  // holds vectors and differs in more than `spec` and `model`.
  void register_set(const VectorSet& set);
  // Drops a set with its vectors and graphs.
  void remove_set(const std::string& name);
  // Stores parts of one set in one segment file, encoded in the set's format. All or nothing. Parts
  // that overlap earlier ones of their document replace these whole. A part of a document that is
  // gone is left out. The document's graph over the set goes. Throws Error(model) naming document
  // and unit when a value is not finite, Error(internal) when sizes contradict each other.
  void put_vectors(const std::string& set, std::span<const NewVectors> parts);
  // One list a page, ascending. Nothing happens when the document is gone.
  void put_page_graph(std::int64_t document, const std::string& set, const StoredGraph& graph);
  // In place of an earlier one, whose elements' vectors go when its `json` is another. Nothing
  // happens when the document is gone. Throws Error(internal) for an element on no page of it.
  void put_document_map(std::int64_t document, const StoredMap& map);
  // Joins small segments of vectors and postings and deletes files that the catalogue does not
  // name.
  void compact();
  // Drops damaged vectors, graphs, maps and postings, and marks documents with damage so that the
  // next `index` reads them again whatever their stamps; these are returned as they were found,
  // though a damaged name, path or title may be among them. Throws Error(store) when the catalogue
  // itself is damaged so that only indexing into a new folder helps.
  std::vector<DocumentRow> repair();

  // Everything that is damaged, one line each, naming the document to index again. Empty: sound.
  std::vector<std::string> verify() const;
  // What of that `repair` refuses to mend.
  std::vector<std::string> unmendable() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::store
