// Makes, opens and checks the catalogue.
#include "store/schema.h"

#include <filesystem>
#include <random>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/store/store.h"

namespace fineprint::store {

namespace {

// Tables that are read by document begin their key with it, so that the rows of a document are
// close together. Ids of documents, sets and segments are never used twice (AUTOINCREMENT), because
// a reader keeps an old state while a writer goes on, and because segment files are named by id.
// The text of an element is the text of its lines, so it is not stored again. row_sums.h says what
// `sum` covers. It is computed after the row is inserted, hence the default.
constexpr const char* kTables = R"sql(
CREATE TABLE meta(
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  sum INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE documents(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  doc TEXT NOT NULL UNIQUE,
  path TEXT NOT NULL,
  title TEXT NOT NULL,
  hash TEXT NOT NULL,
  settings TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  page_count INTEGER NOT NULL,
  ocr_pages INTEGER NOT NULL,
  reflowable INTEGER NOT NULL,
  languages TEXT NOT NULL,  -- of its pages, parted by blanks
  chunk_count INTEGER NOT NULL,
  format TEXT NOT NULL,
  metadata_title TEXT NOT NULL
) STRICT;

CREATE TABLE document_sums(
  document INTEGER PRIMARY KEY REFERENCES documents(id),
  row INTEGER NOT NULL,
  text INTEGER NOT NULL
) STRICT;

CREATE TABLE pages(
  document INTEGER NOT NULL REFERENCES documents(id),
  number INTEGER NOT NULL,
  label TEXT NOT NULL,
  width_pt REAL NOT NULL,
  height_pt REAL NOT NULL,
  rotation INTEGER NOT NULL,
  source INTEGER NOT NULL,
  language TEXT NOT NULL,
  problem TEXT NOT NULL,
  words BLOB NOT NULL,
  PRIMARY KEY(document, number)
) STRICT;

-- Few pages have problems, and every run asks for those.
CREATE INDEX pages_with_problems ON pages(document, number) WHERE problem <> '';

-- Not of documents: of files of which nothing could be read.
CREATE TABLE unread_files(
  doc TEXT PRIMARY KEY,
  path TEXT NOT NULL,
  settings TEXT NOT NULL,
  size INTEGER NOT NULL,
  mtime_ns INTEGER NOT NULL,
  code TEXT NOT NULL,
  message TEXT NOT NULL,
  sum INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE elements(
  document INTEGER NOT NULL REFERENCES documents(id),
  page INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  x0 REAL NOT NULL, y0 REAL NOT NULL, x1 REAL NOT NULL, y1 REAL NOT NULL,
  first_line INTEGER NOT NULL,
  line_count INTEGER NOT NULL,
  parent INTEGER NOT NULL,
  level INTEGER NOT NULL,
  caption TEXT NOT NULL,
  PRIMARY KEY(document, page, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE chunks(
  document INTEGER NOT NULL REFERENCES documents(id),
  ordinal INTEGER NOT NULL,
  page INTEGER NOT NULL,
  first_word INTEGER NOT NULL,
  word_count INTEGER NOT NULL,
  x0 REAL NOT NULL, y0 REAL NOT NULL, x1 REAL NOT NULL, y1 REAL NOT NULL,
  context TEXT NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY(document, ordinal)
) STRICT;

-- The page of every chunk, once more: every search reads them all, and need not read the texts.
CREATE TABLE pages_of_chunks(
  document INTEGER PRIMARY KEY REFERENCES documents(id),
  pages BLOB NOT NULL
) STRICT;

CREATE TABLE outline(
  document INTEGER NOT NULL REFERENCES documents(id),
  ordinal INTEGER NOT NULL,
  level INTEGER NOT NULL,
  title TEXT NOT NULL,
  page INTEGER NOT NULL,
  PRIMARY KEY(document, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE fields(
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  sum INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Posting lists lie in files; what a document adds to them waits here until it is folded in.
CREATE TABLE pending_postings(
  document INTEGER NOT NULL REFERENCES documents(id),
  field INTEGER NOT NULL REFERENCES fields(id),
  image BLOB NOT NULL,
  PRIMARY KEY(document, field)
) STRICT;

CREATE TABLE postings_segments(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  field INTEGER NOT NULL REFERENCES fields(id),
  file TEXT NOT NULL UNIQUE,
  checksum INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  units INTEGER NOT NULL,
  sum INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE postings_documents(
  document INTEGER NOT NULL REFERENCES documents(id),
  field INTEGER NOT NULL REFERENCES fields(id),
  segment INTEGER NOT NULL REFERENCES postings_segments(id),
  units INTEGER NOT NULL,
  sum INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(document, field)
) STRICT, WITHOUT ROWID;
CREATE INDEX postings_documents_of_segment ON postings_documents(segment, units);

CREATE TABLE vector_sets(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  unit INTEGER NOT NULL,  -- 0: page, 1: chunk, 2: element
  many_vectors INTEGER NOT NULL,
  model TEXT NOT NULL,
  hash TEXT NOT NULL,
  input TEXT NOT NULL,
  spec TEXT NOT NULL,
  dim INTEGER NOT NULL,
  format TEXT NOT NULL,
  pool_factor INTEGER NOT NULL,
  sum INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE segments(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  vector_set INTEGER NOT NULL REFERENCES vector_sets(id),
  file TEXT NOT NULL UNIQUE,
  checksum INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  sum INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE vectors(
  document INTEGER NOT NULL REFERENCES documents(id),
  vector_set INTEGER NOT NULL REFERENCES vector_sets(id),
  first_unit INTEGER NOT NULL,
  units INTEGER NOT NULL,
  segment INTEGER NOT NULL REFERENCES segments(id),
  first_row INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  rows_of_unit BLOB,  -- NULL: one row a unit
  sum INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(document, vector_set, first_unit)
) STRICT, WITHOUT ROWID;
CREATE INDEX vectors_of_segment ON vectors(segment);

CREATE TABLE page_graphs(
  document INTEGER NOT NULL REFERENCES documents(id),
  vector_set INTEGER NOT NULL REFERENCES vector_sets(id),
  similarity INTEGER NOT NULL,
  neighbours INTEGER NOT NULL,
  threshold REAL NOT NULL,
  smallest INTEGER NOT NULL,
  graph BLOB NOT NULL,
  sum INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(document, vector_set)
) STRICT, WITHOUT ROWID;

CREATE TABLE document_maps(
  document INTEGER PRIMARY KEY REFERENCES documents(id),
  maker TEXT NOT NULL,
  map TEXT NOT NULL,
  element_count INTEGER NOT NULL,
  element_pages BLOB NOT NULL,
  sum INTEGER NOT NULL DEFAULT 0
) STRICT;
)sql";

// Cache sizes in KiB; SQLite takes negative numbers for that. SQLite keeps every page of the
// catalogue that it read or wrote until the cache is full. Small caches are enough, because few
// pages are needed twice: the writer goes from document to document, questions go anywhere, and the
// operating system caches the file anyway.
constexpr int kWriterCache = -4096;
constexpr int kReaderCache = -8192;

// With the log (WAL), readers keep the state that they opened while the writer goes on. With FULL,
// a commit reaches the disk before it returns. NORMAL could lose the last commits in a power cut,
// but documents that were reported as indexed must stay indexed. The log is folded in at about 32
// MB, which bounds what a reader has to search in addition to the catalogue.
constexpr const char* kWriterSettings =
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
    "PRAGMA wal_autocheckpoint = 8192; PRAGMA journal_size_limit = 67108864;";

void set_cache(Database& database, int size) {
  database.execute(fineprint::format("PRAGMA cache_size = {}", size));
}

// 128 random bits, so that two stores never have the same id and one that was made again has
// another.
std::string new_store_id() {
  std::random_device random;
  std::string id;
  for (int i = 0; i < 4; ++i) id += fineprint::format("{:08x}", std::uint32_t{random()});
  return id;
}

[[noreturn]] void refuse(Database& database, const std::string& what) {
  throw Error(ErrorCode::store, fineprint::format("{} {}", database.path(), what));
}

// Returns true if there are no tables yet. Throws if it is not a catalogue of this format.
bool is_new(Database& database) {
  const std::int64_t application = database.integer("PRAGMA application_id");
  const std::int64_t format = database.integer("PRAGMA user_version");
  if (application == kApplicationId && format == kFormat) return false;
  if (application == kApplicationId) throw OtherFormat(database.path(), format);
  const bool empty = application == 0 && format == 0 &&
                     database.integer("SELECT COUNT(*) FROM sqlite_schema") == 0;
  if (!empty) {
    refuse(database, "is a database of another program; choose another folder with --store");
  }
  return true;
}

// Tables, id and format number come in one transaction, so that a killed run leaves an empty file
// and not half a catalogue.
void make_tables(Database& database) {
  Transaction transaction(database);
  database.execute(kTables);
  const std::string id = new_store_id();
  database.query("INSERT INTO meta(key, value, sum) VALUES('id', ?1, row_sum('id', ?1))")
      .bind(std::string_view(id))
      .run();
  database.execute(fineprint::format("PRAGMA application_id = {}; PRAGMA user_version = {}",
                                     kApplicationId, kFormat));
  transaction.commit();
}

// A reader must not make tables: it may have no right to write.
void require_tables(Database& database) {
  if (is_new(database)) {
    refuse(database,
           "is empty: the run that created it was ended at once; run `fineprint index` again");
  }
}

// A log that was not folded in means that the catalogue was not closed cleanly.
bool has_unmerged_log(const std::string& path) {
  std::error_code missing;
  const auto size = std::filesystem::file_size(path + "-wal", missing);
  return !missing && size > 0;
}

}  // namespace

OtherFormat::OtherFormat(const std::string& catalog, std::int64_t format)
    : Error(ErrorCode::store,
            fineprint::format(
                "{} was written by {} fineprint: its format is {}, this program's is {}; index the "
                "documents into a new folder: fineprint index FOLDER --store NEW",
                catalog, format > kFormat ? "a newer" : "another", format, kFormat)) {}

std::unique_ptr<Database> open_for_writing(const std::string& path) {
  auto database = std::make_unique<Database>(path, OpenAs::writer);
  const bool without_tables = is_new(*database);  // first: a file of another program stays as it is
  database->execute(kWriterSettings);
  set_cache(*database, kWriterCache);
  if (without_tables) make_tables(*database);
  return database;
}

// A reader normally needs write access for SQLite's shared-memory file. `immutable` does without,
// but would miss a log and changes by a writer: hence the checks before it is used.
std::unique_ptr<Database> open_for_reading(const std::string& path) {
  auto database = std::make_unique<Database>(path, OpenAs::reader);
  try {
    require_tables(*database);
  } catch (const Error&) {
    if (!database->failed_for_want_of_write_access() || has_unmerged_log(path)) throw;
    database = std::make_unique<Database>(path, OpenAs::immutable);
    require_tables(*database);
  }
  set_cache(*database, kReaderCache);
  database->execute("PRAGMA query_only = ON");
  return database;
}

}  // namespace fineprint::store
