// Checks everything in a store and reports damaged parts.
#include <map>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/bytes.h"
#include "store/catalog.h"
#include "store/checks.h"
#include "store/chunk_pages.h"
#include "store/document_maps.h"
#include "store/graphs.h"
#include "store/postings/postings.h"
#include "store/row_sums.h"
#include "store/state.h"
#include "store/vectors/parts.h"

namespace fineprint::store {

namespace {

using Problems = std::vector<std::string>;

// The number of units of each kind that a document has.
struct DocumentUnits {
  std::string doc;
  std::uint64_t pages = 0;
  std::uint64_t chunks = 0;
  std::uint64_t elements = 0;  // in its map
};

// Limits SQLite to 20 lines, because a badly damaged file would give thousands.
void check_tables(Database& database, Problems* problems) {
  Query rows = database.query("PRAGMA integrity_check(20)");
  while (rows.step()) {
    if (const std::string line = rows.text(0); line != "ok") {
      problems->push_back(fineprint::format("{}: {}; index the documents again into a new folder",
                                            database.path(), line));
    }
  }
}

// Checks that pages decode, and that chunks refer to words of their pages.
void check_pages(Database& database, const DocumentRow& row, Problems* problems) {
  std::vector<std::size_t> words;
  for (int number = 1; number <= row.page_count; ++number) {
    words.push_back(unpack(read_page(database, row.id, number)).words.size());
  }
  std::vector<std::int32_t> chunk_pages;
  for (const StoredChunk& stored : read_chunks(database, row.id, std::nullopt)) {
    const Chunk& chunk = stored.chunk;
    chunk_pages.push_back(chunk.page);
    const bool good = chunk.page >= 1 && chunk.page <= row.page_count &&
                      std::uint64_t{chunk.first_word} + chunk.word_count <=
                          words[static_cast<std::size_t>(chunk.page) - 1];
    if (!good) {
      problems->push_back(fineprint::format(
          "{}: chunk {} refers to words outside its page; run `fineprint index --repair`", row.doc,
          stored.ordinal));
    }
  }
  if (read_chunk_pages(database, row.id) != chunk_pages) {
    throw BlobDamage("the page list of its chunks differs from the chunks");
  }
}

// Checks that segments have the arrays of their set, and that the bytes are as they were written.
void check_segments(Database& database, SegmentMaps& maps, const SetRow& set, Problems* problems) {
  for (const SegmentRow& segment : read_segments(database, set.id)) {
    const std::string reason = fault_of_segment(maps, set, segment);
    if (reason.empty()) continue;
    problems->push_back(
        fineprint::format("{}; it holds \"{}\" vectors of {}: run `fineprint index --repair`",
                          reason, set.set.name, owners_of(database, segment.id)));
  }
}

std::uint64_t units_in(const DocumentUnits& document, VectorUnit unit) {
  switch (unit) {
    case VectorUnit::page:
      return document.pages;
    case VectorUnit::chunk:
      return document.chunks;
    case VectorUnit::element:
      break;
  }
  return document.elements;
}

// Checks that parts are inside their segments and documents, and that they do not overlap.
void check_parts(Database& database, const SetRow& set,
                 const std::map<std::int64_t, DocumentUnits>& documents, Problems* problems) {
  std::map<std::int64_t, std::size_t> segments;
  for (const SegmentRow& row : read_segments(database, set.id)) segments[row.id] = row.rows;
  std::int64_t document = 0;
  std::uint64_t end = 0;
  for (const VectorPart& part : read_parts(database, set.id)) {
    const auto owner = documents.find(part.document);
    if (owner == documents.end()) continue;  // check_rows() reports it
    if (part.document != document) end = 0;
    const auto segment = segments.find(part.segment);
    const char* fault = nullptr;
    if (segment == segments.end() || !lies_in(part, segment->second)) {
      fault = "are outside their file";
    } else if (!first_rows(part)) {
      fault = "are not as many as their units need";
    } else if (part.end_unit() > units_in(owner->second, set.set.unit)) {
      fault = "belong to units that it does not have";
    } else if (part.first_unit < end) {
      fault = "exist twice";
    }
    document = part.document;
    if (fault == nullptr) {
      end = part.end_unit();
      continue;
    }
    const bool page = set.set.unit == VectorUnit::page;
    problems->push_back(
        fineprint::format("{}: its \"{}\" vectors from {} {} on {}; run `fineprint index --repair`",
                          owner->second.doc, set.set.name, unit_name(set.set.unit),
                          page ? part.first_unit + 1 : part.first_unit, fault));
  }
}

// A graph is checked against the pages that its document has now.
void check_graphs(Database& database, const SetRow& set,
                  const std::map<std::int64_t, DocumentUnits>& documents, Problems* problems) {
  for (const auto& [id, document] : documents) {
    std::string fault;
    try {
      const auto graph = read_graph(database, id, set.id);
      if (graph && graph->neighbours.size() != document.pages) fault = "it is of other pages";
    } catch (const BlobDamage& damage) {
      fault = damage.what();
    }
    if (fault.empty()) continue;
    problems->push_back(fineprint::format(
        "{}: its page graph over \"{}\" is damaged: {}; run `fineprint index --repair`",
        document.doc, set.set.name, fault));
  }
}

// Reading a map checks the checksum of its row and decodes its page list.
void check_maps(Database& database, const std::map<std::int64_t, DocumentUnits>& documents,
                Problems* problems) {
  for (const auto& [id, document] : documents) {
    try {
      read_map(database, id);
    } catch (const BlobDamage& damage) {
      problems->push_back(fineprint::format(
          "{}: its map is damaged: {}; run `fineprint index --repair` to drop it, and add --map to "
          "make it again",
          document.doc, damage.what()));
    }
  }
}

// Checks everything made from documents: vectors, graphs, maps.
void check_parts_of_documents(Database& database, SegmentMaps& maps, Problems* problems) {
  std::map<std::int64_t, DocumentUnits> documents;
  {
    Query rows = database.query(
        "SELECT id, doc, page_count, chunk_count, COALESCE(element_count, 0) FROM documents LEFT "
        "JOIN document_maps ON document = id");
    while (rows.step()) {
      documents[rows.integer(0)] = {rows.text(1), static_cast<std::uint64_t>(rows.integer(2)),
                                    static_cast<std::uint64_t>(rows.integer(3)),
                                    static_cast<std::uint64_t>(rows.integer(4))};
    }
  }
  check_maps(database, documents, problems);
  for (const SetRow& set : read_sets(database)) {
    check_segments(database, maps, set, problems);
    check_parts(database, set, documents, problems);
    check_graphs(database, set, documents, problems);
  }
}

// Compares the checksum of each row, because SQLite checks its own structure but not the values.
// Tables whose rows name documents are not passed here: their damage is reported with the document.
void check_sums(Database& database, const char* table, const char* remedy, Problems* problems) {
  const std::int64_t damaged = damaged_rows(database, table);
  if (damaged == 0) return;
  problems->push_back(fineprint::format("{}: {} rows of the table {} are damaged; {}",
                                        database.path(), damaged, table, remedy));
}

// Checks that no id can be used again: files are named by ids, and readers keep old ones.
void check_numbers(Database& database, Problems* problems) {
  for (const char* table : {"documents", "segments", "vector_sets", "postings_segments"}) {
    const std::int64_t behind = database.integer(
        fineprint::format("SELECT (SELECT MAX(id) FROM {0}) > "
                          "COALESCE((SELECT seq FROM sqlite_sequence WHERE name = '{0}'), 0)",
                          table));
    if (behind == 0) continue;
    problems->push_back(
        fineprint::format("{}: ids of {} would be used twice; index the documents again into a "
                          "new folder",
                          database.path(), table));
  }
}

// Checks references between tables, which SQLite's integrity check leaves out.
void check_rows(Database& database, Problems* problems) {
  Query foreign = database.query("PRAGMA foreign_key_check");
  while (foreign.step()) {
    problems->push_back(fineprint::format("{}: a row of {} belongs to no row of {}",
                                          database.path(), foreign.text(0), foreign.text(2)));
  }
  const std::int64_t outside = database.integer(
      "SELECT COUNT(*) FROM vectors v JOIN segments s ON s.id = v.segment "
      "WHERE v.vector_set <> s.vector_set");
  if (outside > 0) {
    problems->push_back(
        fineprint::format("{}: {} rows of vectors refer to segments of another set; index the "
                          "documents again into a new folder",
                          database.path(), outside));
  }
}

}  // namespace

// Ids are checked only in a sound file, because a damaged one gives no reliable numbers.
void check_structure(Database& database, Problems* problems) {
  check_tables(database, problems);
  if (problems->empty()) check_numbers(database, problems);
}

void check_settings(Database& database, Problems* problems) {
  for (const char* table : {"meta", "fields", "vector_sets"}) {
    check_sums(database, table, "index the documents again into a new folder", problems);
  }
}

// The sum is compared only if nothing else was found, because it would report the same damage
// again.
void check_document(Database& database, const DocumentRow& row, Problems* problems) {
  const std::size_t before = problems->size();
  try {
    check_pages(database, row, problems);
    const auto fault = fault_of_document(database, row.id);
    if (fault && problems->size() == before) throw BlobDamage(*fault);
  } catch (const BlobDamage& damage) {
    problems->push_back(fineprint::format(
        "{}: its rows are damaged: {}; run `fineprint index --repair`", row.doc, damage.what()));
  } catch (const Error& error) {
    problems->push_back(error.what());
  }
}

// Reads every byte of the segment. Views of damaged files throw, which gives the reason.
std::string fault_of_segment(SegmentMaps& maps, const SetRow& set, const SegmentRow& segment) {
  try {
    if (checksum_of(maps.view(segment, set.set).arrays) == segment.checksum) return {};
    return fineprint::format("{}: its checksum is wrong; delete this file", segment.file);
  } catch (const Error& error) {
    return error.what();
  }
}

std::vector<std::string> Store::unmendable() const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  Problems problems;
  try {
    check_structure(*state_->database, &problems);
    if (problems.empty()) check_settings(*state_->database, &problems);
  } catch (const Error& error) {
    problems.push_back(error.what());
  }
  return problems;
}

std::vector<std::string> Store::verify() const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  // From the outside in. If the structure is damaged, the checks below may throw. What was found
  // until then is reported anyway.
  Problems problems;
  try {
    check_structure(*state_->database, &problems);
    for (const DocumentRow& row : read_documents(*state_->database)) {
      check_document(*state_->database, row, &problems);
    }
    check_parts_of_documents(*state_->database, state_->maps, &problems);
    check_postings(*state_->database, state_->postings, &problems);
    check_rows(*state_->database, &problems);
    check_settings(*state_->database, &problems);
    for (const char* table : {"segments", "postings_segments", "unread_files"}) {
      check_sums(*state_->database, table, "run `fineprint index --repair`", &problems);
    }
  } catch (const Error& error) {
    problems.push_back(error.what());
  }
  return problems;
}

}  // namespace fineprint::store
