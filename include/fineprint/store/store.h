// The store: one folder that holds everything that was read from the documents.
//
//   catalog.sqlite            documents, pages (words as checksummed blobs), elements, chunks,
//                             vector sets, page graphs, maps, segments; checksums over all rows;
//                             WAL; schema version
//   vectors/<set>/<segment>.safetensors      append-only; counts once the catalogue names it
//   postings/<field>/<segment>.postings      the same, of the keyword index
//
// One writer, many readers. The text of a document is committed in one transaction. Its vectors
// follow, set by set, in parts, each in a transaction of its own. A reader sees the store as it was
// at the time of opening for as long as it keeps the store open, because ids that it has read must
// stay valid while a writer goes on.
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

// A file at the time of indexing. If the stamps are equal, the file is taken as unchanged and need
// not be hashed.
struct FileStamp {
  std::int64_t size = 0;  // bytes
  std::int64_t mtime_ns =
      0;  // time of the last change, nanoseconds since 1970; programs can set it
  // Identifies the file itself (its inode) and the last change of its contents or metadata, whose
  // time programs cannot set. Differs on every machine and after copying. 0 if unknown.
  std::uint64_t identity = 0;
  // An unknown identity equals any other.
  bool operator==(const FileStamp& other) const {
    return size == other.size && mtime_ns == other.mtime_ns &&
           (identity == other.identity || identity == 0 || other.identity == 0);
  }
};

// What the catalogue records about one document.
struct DocumentRow {
  std::int64_t id = 0;
  std::string doc;   // relative path, the name that citations use: for example "reports/2024.pdf"
  std::string path;  // absolute path at the time of indexing
  std::string title;
  std::string format;    // for example "PDF 1.7"; put() takes it from DocumentInfo
  std::string hash;      // hash of the content
  std::string settings;  // hash of everything that shaped the stored data (OCR, chunking, models)
  FileStamp stamp;
  int page_count = 0;
  int ocr_pages = 0;        // pages whose words come from OCR
  int waiting_pages = 0;    // pages that still need OCR; all or some of their words are missing
  int hidden_words = 0;     // words that the file holds but does not show (Page::hidden)
  int hidden_pages = 0;     // pages that have such words
  bool reflowable = false;  // pages have no fixed size, as in e-books
  std::vector<std::string> languages;  // languages of its pages (see Page); put() takes them there
};

// The terms of one document in one field. `postings[i]` is the posting list of `terms[i]`. Its
// units are page numbers minus one or chunk ordinals, depending on what the field counts.
struct FieldIndex {
  std::string field;  // "page", "chunk", ...
  std::vector<std::string> terms;
  std::vector<std::vector<score::Posting>> postings;
  std::vector<std::uint32_t> lengths;  // length of each unit, in terms
};

// A document to be stored by Store::put(). put_vectors() stores its vectors later.
struct NewDocument {
  DocumentRow row;  // id is ignored
  DocumentInfo info;
  std::vector<Page> pages;
  std::vector<Chunk> chunks;
  std::vector<FieldIndex> fields;
};

// A chunk as the store returns it.
struct StoredChunk {
  std::int64_t document = 0;
  std::uint32_t ordinal = 0;  // position in its document, from 0
  Chunk chunk;
};

// The kind of unit that the vectors of a set belong to. Units are numbered within a document: page
// number minus one; ordinal of a chunk; position of an element (figure, table, chart) in the
// document map.
enum class VectorUnit { page, chunk, element };
// Returns "page", "chunk" or "element".
const char* unit_name(VectorUnit unit);

// The number format of vectors on disk. With `keep_exact`, the float32 originals are stored next to
// the int8 codes, so that candidates that a scan of the codes finds can be rescored exactly.
struct VectorFormat {
  score::VectorType type = score::VectorType::f32;
  bool keep_exact = false;  // only with i8
  bool operator==(const VectorFormat&) const = default;
};
// Convert a format to its name and back: "float32", "float16", "bfloat16", "int8" or
// "int8+float32". parse_vector_format() returns nullopt for any other name.
std::string to_string(const VectorFormat& format);
std::optional<VectorFormat> parse_vector_format(std::string_view name);

// The vectors that one model made for the units of all documents. A store may have several sets,
// even of one kind. Vectors of different sets are never compared, because each model has its own
// space.
struct VectorSet {
  std::string name;  // unique in the store: a kind, or a kind and a number ("late-2")
  std::string kind;  // what scorers look for: "text", "page", "late", "late-text" or "sparse"
  VectorUnit unit = VectorUnit::chunk;
  bool many_vectors = false;  // true if a unit has several vectors (multi-vector encoders)
  std::string model;          // name of the model, for people
  std::string hash;           // Encoder::hash(): covers the weights and all that shapes the vectors
  std::string input;    // how units are shown to the model ("144 dpi, 1344x1344"); empty: text
  std::string spec;     // SPEC that opens the model again; empty: the default model
  std::size_t dim = 0;  // numbers in each vector
  VectorFormat format;
  int pool_factor = 1;  // factor of token pooling before storing; 1: no pooling
};

// Returns the name of the set that holds vectors of elements by the model of `set`, which holds
// vectors of pages or chunks: for example, "late-elements" for "late". Both sets have vectors in
// one space, so their scores can be compared.
std::string elements_set(const std::string& set);
// Returns true if the set has one vector for each chunk by a sentence encoder. A search makes
// vectors of such a set on demand if they are missing.
bool is_of_chunk_texts(const VectorSet& set);

// Returns true if the vectors of a set have a number for each token of a vocabulary (`dim` tokens),
// most of them 0. They are kept as posting lists, and as rows they are written as kSparseColumns
// numbers for each token that is not 0: the token, ascending, and its weight.
bool is_sparse(const VectorSet& set);
inline constexpr std::size_t kSparseColumns = 2;
// Weights are kept in steps of 1 / kWeightSteps; smaller ones than half a step are dropped. A
// posting of such a set has the number of steps as its frequency.
inline constexpr float kWeightSteps = 64;
// Returns the term under which the posting list of a token is found.
std::string sparse_term(std::uint32_t token);

// Vectors of the units [first_unit, first_unit + units) of a document, to be stored.
struct NewVectors {
  std::int64_t document = 0;
  std::uint32_t first_unit = 0;
  std::uint32_t units = 0;
  std::vector<std::uint32_t> rows_of_unit;  // sums to rows.rows; empty: one row for each unit
  Matrix rows;
};

// Stored vectors of units [first_unit, first_unit + units), in a mapped file. Valid while the Store
// lives.
struct VectorBlock {
  std::int64_t document = 0;
  std::uint32_t first_unit = 0;
  std::uint32_t units = 0;
  std::vector<std::uint32_t> first_row;  // first row of each unit, then the end; [units + 1]
  score::VectorRows rows;
  std::optional<score::VectorRows> exact;  // the float32 originals, if the format keeps them
  std::span<const float> errors;           // with `exact`: |original - decoded| for each row
};

// Consecutive units of a document that have no vectors in a set.
struct UnitRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  bool operator==(const UnitRange&) const = default;
};

// The page graph of a document over the vectors of one set, with the options that it was made with.
struct StoredGraph {
  score::GraphOptions options;
  score::PageGraph neighbours;
};

// The document map, as its maker wrote it.
struct StoredMap {
  // Identifies everything besides the document that shaped the map: equal makers make equal maps.
  std::string maker;
  std::string json;
  std::vector<std::int32_t> element_pages = {};  // page number of each element, in map order
};

// A file that could not be read at all, with its stamp at that time. If an earlier version of the
// file could be read, its document may still be in the store.
struct UnreadFile {
  std::string doc;       // the name that its document would have
  std::string path;      // absolute path
  std::string settings;  // hash of everything that could make the file readable if it changed
  FileStamp stamp;
  ErrorCode code = ErrorCode::internal;
  std::string message;
};

// How to open a store. `write` takes the writer's lock.
enum class Mode { read, write };

// Error(store) that is thrown if another process is writing to the store.
class InUse : public Error {
 public:
  explicit InUse(const std::string& dir);
};

// Error(store) that is thrown if another version of the program wrote the catalogue.
class OtherFormat : public Error {
 public:
  OtherFormat(const std::string& catalog, std::int64_t format);
};

// Counts over the store; `bytes` is the size of its folder.
struct Totals {
  std::int64_t documents = 0, pages = 0, chunks = 0, bytes = 0;
};

// An open store. Safe from several threads. In read mode it shows one state of the store, whatever
// a writer does meanwhile.
class Store {
 public:
  // In write mode, creates the folder if it does not exist and takes the writer's lock. Throws
  // InUse if another process has the lock. In read mode, throws Error(store) naming the `index`
  // command that makes a store if `dir` has no catalogue. Throws OtherFormat if another version of
  // the program wrote the catalogue.
  Store(const std::string& dir, Mode mode);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  const std::string& dir() const;
  // Returns the random id that the store got when it was created.
  std::string id() const;
  Totals totals() const;

  // --- reading ---
  // Returns all documents, ordered by `doc`.
  std::vector<DocumentRow> documents() const;
  // Returns the document of this name, or nullopt if there is none.
  std::optional<DocumentRow> find(const std::string& doc) const;
  // Returns one page with its words, lines and elements. Throws Error(store) naming the document if
  // the page is missing or its checksum is wrong.
  Page page(std::int64_t document, int number) const;
  // Returns the printed labels of all pages, ordered by page number; empty text for a page without.
  std::vector<std::string> page_labels(std::int64_t document) const;
  // Returns one chunk. Throws Error(store) if there is none of this ordinal.
  StoredChunk chunk(std::int64_t document, std::uint32_t ordinal) const;
  std::vector<StoredChunk> chunks(std::int64_t document) const;
  std::vector<OutlineEntry> outline(std::int64_t document) const;
  // Returns the page number of each chunk: for each document a list, indexed by ordinal.
  std::map<std::int64_t, std::vector<std::int32_t>> chunk_pages() const;
  // Returns the page number of each element in each document map.
  std::map<std::int64_t, std::vector<std::int32_t>> element_pages() const;

  // Returns, for each document, the numbers of pages that could not be read completely; see
  // Page::problem.
  std::map<std::int64_t, std::vector<int>> pages_with_problems() const;
  // Returns the files that could not be read at all, ordered by `doc`.
  std::vector<UnreadFile> unread_files() const;

  // Returns the segments of a field of the keyword index. They stay open while the Store lives.
  std::vector<std::shared_ptr<const PostingsSegment>> postings(const std::string& field) const;

  // Returns all vector sets, ordered by name.
  std::vector<VectorSet> vector_sets() const;
  // Returns all vectors of a set, memory-mapped, ordered by document and unit; an empty list if
  // there is no such set. Those of a sparse set are made from its posting lists, which takes memory
  // while the Store lives; postings() with its name searches them. Throws Error(store) naming the
  // documents to index again if a segment is missing or damaged.
  std::vector<VectorBlock> vectors(const std::string& set) const;
  // Returns, for each document that lacks vectors of this set, the units without vectors. Documents
  // without any units (for example, no chunks or no map) lack nothing. Vectors whose file is gone
  // count as missing: so if you delete a damaged file, the next `index` makes its vectors again.
  // Of a sparse set, a document has the vectors of all units or of none. Throws Error(internal) if
  // there is no such set.
  std::map<std::int64_t, std::vector<UnitRange>> missing_vectors(const std::string& set) const;
  // Returns how many units of each document have vectors, by set name. Reads only the catalogue and
  // does not check that the files are intact.
  std::map<std::int64_t, std::map<std::string, std::int64_t>> vector_counts() const;
  // Returns the ids of documents that have a document map.
  std::set<std::int64_t> mapped_documents() const;
  // Returns nullopt if no graph was stored since the document's pages or vectors changed. Throws
  // Error(store) if the graph is damaged.
  std::optional<StoredGraph> page_graph(std::int64_t document, const std::string& set) const;
  // Returns nullopt if no map was stored since the document was put. Throws Error(store) if the map
  // is damaged.
  std::optional<StoredMap> document_map(std::int64_t document) const;

  // --- writing ---
  // All functions of this part throw Error(internal) if the store was opened for reading.
  //
  // Stores a document and replaces any earlier document of the same `row.doc`. Drops the vectors of
  // its chunks, and its map with the vectors of elements. Keeps the vectors of its pages, and
  // graphs over them, if `row.hash` and the page count are unchanged, because page pictures depend
  // on the file alone. Returns the new id. On failure nothing changes.
  std::int64_t put(const NewDocument& document);
  // Records a new path and stamp for the document of the same `doc`. Use it if the file was moved
  // or touched but its content is the same.
  void restamp(const DocumentRow& row);
  // Removes a document and everything made from it, and forgets an unread file of this name. Does
  // nothing if neither exists. compact() frees the disk space later; space of vectors is freed once
  // more than half of a file is dead.
  void remove(const std::string& doc);
  // Removes several documents in one transaction.
  void remove_all(const std::vector<std::string>& docs);
  // Records that a file could not be read at all, until its document is put or the record
  // forgotten.
  void put_unread(const UnreadFile& file);
  void forget_unread(const std::string& doc);
  // Adds a set, or updates the set of the same name. Throws Error(store) if that set has vectors
  // and differs in more than `spec` and `model`, because its vectors could not be compared with new
  // ones.
  void register_set(const VectorSet& set);
  // Removes a set with its vectors and graphs. Does nothing if there is no such set.
  void remove_set(const std::string& name);
  // Stores parts of one set in a new segment, encoded in the format of the set. On failure nothing
  // changes. A part replaces every earlier part of its document that it overlaps, including units
  // outside the overlap. Skips parts of documents that are gone. Drops the document's graph over
  // the set, which was made from the old vectors. Of a sparse set, also skips parts that do not
  // hold all units of their document. Throws Error(model) naming document and unit if a
  // value is not finite, and Error(internal) if sizes contradict each other.
  void put_vectors(const std::string& set, std::span<const NewVectors> parts);
  // Stores a page graph: for each page the ascending list of its neighbours. Does nothing if the
  // document is gone.
  void put_page_graph(std::int64_t document, const std::string& set, const StoredGraph& graph);
  // Stores a document map in place of any earlier one. Drops the vectors of elements if the `json`
  // differs. Does nothing if the document is gone. Throws Error(internal) if an element is on a
  // page that the document does not have.
  void put_document_map(std::int64_t document, const StoredMap& map);
  // Joins small segments of vectors and postings, and deletes files that the catalogue does not
  // name.
  void compact();
  // Drops damaged vectors, graphs, maps and postings. Marks damaged documents so that the next
  // `index` reads them again, whatever their stamps are, and returns their rows as they were found.
  // A returned name, path or title may itself be damaged. Throws Error(store) if the catalogue is
  // damaged so badly that only indexing into a new folder helps.
  std::vector<DocumentRow> repair();

  // Checks everything. Returns one line for each fault, naming the document to index again. Returns
  // an empty list if the store is sound.
  std::vector<std::string> verify() const;
  // Returns the faults found by verify() that repair() cannot fix.
  std::vector<std::string> unmendable() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::store
