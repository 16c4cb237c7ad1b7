// Looks at everything in a store and names what is damaged.
#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"

#include "store/bytes.h"
#include "store/catalog.h"
#include "store/postings.h"
#include "store/state.h"

namespace fineprint::store {

namespace {

using Problems = std::vector<std::string>;

void check_tables(Database& database, Problems* problems) {
  Query rows = database.query("PRAGMA quick_check(20)");
  while (rows.step()) {
    if (const std::string line = rows.text(0); line != "ok") {
      problems->push_back(fineprint::format("{}: {}; index the documents again into a new folder",
                                            database.path(), line));
    }
  }
}

// Pages decode, and chunks stay inside them.
void check_pages(Database& database, const DocumentRow& row, Problems* problems) {
  std::vector<std::size_t> words;
  for (int number = 1; number <= row.page_count; ++number) {
    words.push_back(unpack(read_page(database, row.id, number)).words.size());
  }
  for (const StoredChunk& stored : read_chunks(database, row.id, std::nullopt)) {
    const Chunk& chunk = stored.chunk;
    const bool good = chunk.page >= 1 && chunk.page <= row.page_count &&
                      std::uint64_t{chunk.first_word} + chunk.word_count <=
                          words[static_cast<std::size_t>(chunk.page) - 1];
    if (!good) {
      problems->push_back(
          fineprint::format("{}: chunk {} points outside its page; index the "
                            "document again",
                            row.doc, stored.ordinal));
    }
  }
}

// Every term that the document names has its postings, and they stay inside its units.
void check_fields(Database& database, const DocumentRow& row) {
  Query fields = database.query(
      "SELECT t.field, t.terms, l.units FROM document_terms t LEFT JOIN lengths l "
      "ON l.field = t.field AND l.document = t.document WHERE t.document = ?");
  fields.bind(row.id);
  while (fields.step()) {
    const std::size_t units = decode_lengths(fields.blob(2)).size();
    for (const std::string& term : decode_terms(fields.blob(1))) {
      Query found = database.query(
          "SELECT units FROM postings WHERE field = ? AND term = ? AND document = ?");
      found.bind(fields.integer(0)).bind(std::string_view(term)).bind(row.id);
      if (!found.step()) throw BlobDamage(fineprint::format("the term \"{}\" is missing", term));
      std::vector<score::Posting> postings;
      decode_postings(found.blob(0), &postings);
      if (!postings.empty() && postings.back().unit >= units) {
        throw BlobDamage(fineprint::format("the term \"{}\" points outside", term));
      }
    }
  }
}

void check_document(Database& database, const DocumentRow& row, Problems* problems) {
  try {
    check_pages(database, row, problems);
    check_fields(database, row);
  } catch (const BlobDamage& damage) {
    problems->push_back(
        fineprint::format("{}: its search terms are damaged: {}; index the "
                          "document again",
                          row.doc, damage.what()));
  } catch (const Error& error) {
    problems->push_back(error.what());
  }
}

std::string owners(Database& database, std::int64_t segment) {
  std::string out;
  Query rows = database.query(
      "SELECT d.doc FROM vectors v JOIN documents d ON d.id = v.document WHERE v.segment = ?");
  rows.bind(segment);
  while (rows.step()) out += (out.empty() ? "" : ", ") + rows.text(0);
  return out;
}

void check_segments(Database& database, SegmentMaps& maps, Problems* problems) {
  for (const SegmentRow& segment : read_segments(database, "")) {
    std::string reason;
    try {
      const auto values = maps.rows(segment);
      if (checksum({reinterpret_cast<const std::uint8_t*>(values.data()), values.size_bytes()}) !=
          segment.checksum) {
        reason = segment.file + ": its checksum is wrong";
      }
    } catch (const Error& error) {
      reason = error.what();
    }
    if (reason.empty()) continue;
    problems->push_back(fineprint::format("{}; it holds the vectors of {}: index these again",
                                          reason, owners(database, segment.id)));
  }
}

void check_rows(Database& database, Problems* problems) {
  Query foreign = database.query("PRAGMA foreign_key_check");
  while (foreign.step()) {
    problems->push_back(fineprint::format("{}: a row of {} belongs to no {}", database.path(),
                                          foreign.text(0), foreign.text(2)));
  }
  const std::int64_t outside = database.integer(
      "SELECT COUNT(*) FROM vectors v JOIN segments s ON s.id = v.segment "
      "WHERE v.first_row + v.row_count > s.row_count OR v.scorer <> s.scorer");
  const std::int64_t stray = database.integer(
                                 "SELECT COUNT(*) FROM lengths WHERE document NOT IN "
                                 "(SELECT id FROM documents)") +
                             database.integer(
                                 "SELECT COUNT(*) FROM postings WHERE document NOT IN "
                                 "(SELECT id FROM documents)");
  if (outside + stray > 0) {
    problems->push_back(
        fineprint::format("{}: {} rows point outside; index the documents again "
                          "into a new folder",
                          database.path(), outside + stray));
  }
}

}  // namespace

std::vector<std::string> Store::verify() const {
  const std::lock_guard<std::mutex> guard(state_->mutex);
  Problems problems;
  try {
    check_tables(*state_->database, &problems);
    for (const DocumentRow& row : read_documents(*state_->database)) {
      check_document(*state_->database, row, &problems);
    }
    check_segments(*state_->database, state_->maps, &problems);
    check_rows(*state_->database, &problems);
  } catch (const Error& error) {
    problems.push_back(error.what());
  }
  return problems;
}

}  // namespace fineprint::store
