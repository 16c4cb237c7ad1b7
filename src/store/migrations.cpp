// The tables of the catalogue, version by version.
#include "store/migrations.h"

#include "store/chunk_pages.h"
#include "store/postings.h"
#include "store/row_sums.h"

namespace fineprint::store {

namespace {

// Tables that are read by document begin their key with it, so that a document's rows lie
// together; postings and lengths are read by field and begin with that. Document and segment ids
// are never used twice. The text of an element is that of its lines and is not stored again.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

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
  chunk_count INTEGER NOT NULL,
  format TEXT NOT NULL,
  metadata_title TEXT NOT NULL
) STRICT;

CREATE TABLE pages(
  document INTEGER NOT NULL REFERENCES documents(id),
  number INTEGER NOT NULL,
  label TEXT NOT NULL,
  width_pt REAL NOT NULL,
  height_pt REAL NOT NULL,
  rotation INTEGER NOT NULL,
  source INTEGER NOT NULL,
  problem TEXT NOT NULL,
  words BLOB NOT NULL,
  PRIMARY KEY(document, number)
) STRICT;

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
-- The pages of all chunks are read by every search; the index spares it their texts.
CREATE INDEX chunk_pages ON chunks(document, ordinal, page);

CREATE TABLE outline(
  document INTEGER NOT NULL REFERENCES documents(id),
  ordinal INTEGER NOT NULL,
  level INTEGER NOT NULL,
  title TEXT NOT NULL,
  page INTEGER NOT NULL,
  PRIMARY KEY(document, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE fields(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;

CREATE TABLE postings(
  field INTEGER NOT NULL,
  term TEXT NOT NULL,
  document INTEGER NOT NULL,
  units BLOB NOT NULL,
  PRIMARY KEY(field, term, document)
) STRICT, WITHOUT ROWID;

CREATE TABLE lengths(
  field INTEGER NOT NULL,
  document INTEGER NOT NULL,
  units BLOB NOT NULL,
  PRIMARY KEY(field, document)
) STRICT, WITHOUT ROWID;

-- Which postings a document has: what is needed to remove them without an index over all.
CREATE TABLE document_terms(
  document INTEGER NOT NULL REFERENCES documents(id),
  field INTEGER NOT NULL REFERENCES fields(id),
  terms BLOB NOT NULL,
  PRIMARY KEY(document, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE models(
  scorer TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  hash TEXT NOT NULL,
  dim INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE segments(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  scorer TEXT NOT NULL,
  file TEXT NOT NULL UNIQUE,
  checksum INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  dim INTEGER NOT NULL
) STRICT;

CREATE TABLE vectors(
  document INTEGER NOT NULL REFERENCES documents(id),
  scorer TEXT NOT NULL,
  segment INTEGER NOT NULL REFERENCES segments(id),
  first_row INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  PRIMARY KEY(document, scorer)
) STRICT, WITHOUT ROWID;
CREATE INDEX vectors_of_segment ON vectors(segment);
)sql";

// Vector sets take the place of models, vectors come in parts, and the pages of a document's chunks
// lie in one blob, so that a search need not look at the chunks. Ids of segments go on counting.
constexpr const char* kVersion2 = R"sql(
CREATE TABLE vector_sets(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  unit INTEGER NOT NULL,  -- 0: page, 1: chunk
  many_vectors INTEGER NOT NULL,
  model TEXT NOT NULL,
  hash TEXT NOT NULL,
  input TEXT NOT NULL,
  spec TEXT NOT NULL,
  dim INTEGER NOT NULL,
  format TEXT NOT NULL,
  pool_factor INTEGER NOT NULL
) STRICT;
INSERT INTO vector_sets(name, kind, unit, many_vectors, model, hash, input, spec, dim, format,
                        pool_factor)
  SELECT scorer, scorer, 1, 0, name, hash, '', '', dim, 'float32', 1 FROM (
    SELECT scorer, name, hash, dim FROM models
    UNION ALL
    SELECT scorer, 'unknown', '', MAX(dim) FROM segments
      WHERE scorer NOT IN (SELECT scorer FROM models) GROUP BY scorer)
  ORDER BY scorer;

DROP INDEX vectors_of_segment;
ALTER TABLE vectors RENAME TO vectors_1;
ALTER TABLE segments RENAME TO segments_1;

CREATE TABLE segments(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  vector_set INTEGER NOT NULL REFERENCES vector_sets(id),
  file TEXT NOT NULL UNIQUE,
  checksum INTEGER NOT NULL,
  row_count INTEGER NOT NULL
) STRICT;
INSERT INTO segments(id, vector_set, file, checksum, row_count)
  SELECT s.id, v.id, s.file, s.checksum, s.row_count
  FROM segments_1 s JOIN vector_sets v ON v.name = s.scorer;
DELETE FROM sqlite_sequence WHERE name = 'segments';
INSERT INTO sqlite_sequence(name, seq)
  SELECT 'segments', seq FROM sqlite_sequence WHERE name = 'segments_1';

CREATE TABLE vectors(
  document INTEGER NOT NULL REFERENCES documents(id),
  vector_set INTEGER NOT NULL REFERENCES vector_sets(id),
  first_unit INTEGER NOT NULL,
  units INTEGER NOT NULL,
  segment INTEGER NOT NULL REFERENCES segments(id),
  first_row INTEGER NOT NULL,
  row_count INTEGER NOT NULL,
  rows_of_unit BLOB,  -- NULL: one row a unit
  PRIMARY KEY(document, vector_set, first_unit)
) STRICT, WITHOUT ROWID;
INSERT INTO vectors(document, vector_set, first_unit, units, segment, first_row, row_count)
  SELECT o.document, v.id, 0, o.row_count, o.segment, o.first_row, o.row_count
  FROM vectors_1 o JOIN vector_sets v ON v.name = o.scorer;
CREATE INDEX vectors_of_segment ON vectors(segment);

DROP TABLE vectors_1;
DROP TABLE segments_1;
DROP TABLE models;

CREATE TABLE page_graphs(
  document INTEGER NOT NULL REFERENCES documents(id),
  vector_set INTEGER NOT NULL REFERENCES vector_sets(id),
  similarity INTEGER NOT NULL,
  neighbours INTEGER NOT NULL,
  threshold REAL NOT NULL,
  smallest INTEGER NOT NULL,
  graph BLOB NOT NULL,
  PRIMARY KEY(document, vector_set)
) STRICT, WITHOUT ROWID;

CREATE TABLE pages_of_chunks(
  document INTEGER PRIMARY KEY REFERENCES documents(id),
  pages BLOB NOT NULL
) STRICT;
)sql";

// The index over the pages of chunks is what the blobs are made from; nothing needs it after.
void fill_version_2(Database& database) {
  insert_all_chunk_pages(database);
  database.execute("DROP INDEX chunk_pages");
}

// Posting lists lie in files; what a document adds to them waits in the catalogue until then.
constexpr const char* kVersion3 = R"sql(
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
  units INTEGER NOT NULL
) STRICT;

CREATE TABLE postings_documents(
  document INTEGER NOT NULL REFERENCES documents(id),
  field INTEGER NOT NULL REFERENCES fields(id),
  segment INTEGER NOT NULL REFERENCES postings_segments(id),
  units INTEGER NOT NULL,
  PRIMARY KEY(document, field)
) STRICT, WITHOUT ROWID;
CREATE INDEX postings_documents_of_segment ON postings_documents(segment, units);
)sql";

// Checksums of rows; see row_sums.h.
constexpr const char* kVersion4 = R"sql(
CREATE TABLE document_sums(
  document INTEGER PRIMARY KEY REFERENCES documents(id),
  row INTEGER NOT NULL,
  text INTEGER NOT NULL
) STRICT;
ALTER TABLE meta ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fields ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE vector_sets ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE segments ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE vectors ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE page_graphs ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE postings_segments ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
ALTER TABLE postings_documents ADD COLUMN sum INTEGER NOT NULL DEFAULT 0;
)sql";

constexpr Migration kMigrations[] = {{kVersion1},
                                     {kVersion2, fill_version_2},
                                     {kVersion3, convert_term_tables},
                                     {kVersion4, sum_everything}};

}  // namespace

std::span<const Migration> migrations() { return kMigrations; }

}  // namespace fineprint::store
