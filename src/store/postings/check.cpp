// Reads the complete keyword index and reports damaged parts.
#include <map>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/checks.h"
#include "store/row_sums.h"

namespace fineprint::store {

namespace {

using Problems = std::vector<std::string>;

// Returns the names of the documents in a segment, for messages.
std::string owners(Database& database, std::int64_t segment) {
  Query rows = database.query(
      "SELECT d.doc FROM postings_documents p JOIN documents d ON d.id = p.document "
      "WHERE p.segment = ? ORDER BY d.doc");
  rows.bind(segment);
  return first_names(rows);
}

// Throws BlobDamage unless the segment holds every document that the catalogue expects in it.
void check_owners(Database& database, const PostingsRow& row, const PostingsImage& image) {
  std::map<std::int64_t, std::int64_t> units;
  for (const ImageDocument& document : image.documents()) units[document.id] = document.units;
  Query rows = database.query(
      fineprint::format("SELECT p.document, p.units, d.doc, p.sum = {} FROM postings_documents p "
                        "LEFT JOIN documents d ON d.id = p.document WHERE p.segment = ?",
                        row_sum_of("postings_documents")));
  rows.bind(row.id);
  while (rows.step()) {
    const auto found = units.find(rows.integer(0));
    const bool sound = rows.integer(3) != 0;
    if (!sound || found == units.end() || found->second != rows.integer(1)) {
      throw BlobDamage(fineprint::format("it does not hold {}", rows.text(2)));
    }
  }
}

// Reads all lists of the segment. At most one line for each segment, with the documents that it
// affects.
void check_segment(Database& database, PostingsFiles& files, const PostingsRow& row,
                   Problems* problems) {
  try {
    const auto image = files.image(row);
    image->check();
    check_owners(database, row, *image);
    return;
  } catch (const BlobDamage& damage) {
    problems->push_back(
        fineprint::format("{}/{} is damaged: {}", files.dir(), row.file, damage.what()));
  } catch (const Error& error) {
    problems->push_back(error.what());
  }
  problems->back() +=
      fineprint::format("; it holds the keyword index of {}: run `fineprint index --repair`",
                        owners(database, row.id));
}

// Returns the documents whose waiting postings are damaged.
std::set<std::int64_t> check_pending(Database& database, Problems* problems) {
  std::set<std::int64_t> damaged;
  Query rows = database.query(
      "SELECT p.document, p.image, d.doc FROM pending_postings p "
      "LEFT JOIN documents d ON d.id = p.document");
  while (rows.step()) {
    const auto blob = rows.blob(1);
    try {
      const PostingsImage image(
          std::string(reinterpret_cast<const char*>(blob.data()), blob.size()));
      image.check();
      if (image.documents().size() != 1 || image.documents()[0].id != rows.integer(0)) {
        throw BlobDamage("it belongs to another document");
      }
    } catch (const BlobDamage& damage) {
      problems->push_back(
          fineprint::format("{}: its keyword index is damaged: {}; run `fineprint index --repair`",
                            rows.text(2), damage.what()));
      damaged.insert(rows.integer(0));
    }
  }
  return damaged;
}

void add_ids(Database& database, std::string_view sql, std::set<std::int64_t>* out) {
  Query rows = database.query(sql);
  while (rows.step()) out->insert(rows.integer(0));
}

}  // namespace

void check_postings(Database& database, PostingsFiles& files, Problems* problems) {
  for (const PostingsRow& row : read_postings_rows(database, 0)) {
    check_segment(database, files, row, problems);
  }
  check_pending(database, problems);
}

// Does the same checks as check_postings(), but collects ids for repair() instead of messages.
DamagedPostings damaged_postings(Database& database, PostingsFiles& files) {
  Problems problems;
  DamagedPostings out;
  out.pending = check_pending(database, &problems);
  out.documents = out.pending;
  for (const PostingsRow& row : read_postings_rows(database, 0)) {
    const std::size_t before = problems.size();
    check_segment(database, files, row, &problems);
    if (problems.size() == before) continue;
    out.segments.insert(row.id);
    out.documents.merge(live_documents(database, row.id));
  }
  add_ids(database,
          fineprint::format("SELECT document FROM postings_documents WHERE sum <> {} OR "
                            "segment NOT IN (SELECT id FROM postings_segments WHERE sum = {})",
                            row_sum_of("postings_documents"), row_sum_of("postings_segments")),
          &out.documents);
  // A document may have lost its row to damage. Every document has postings in every field, so one
  // without any counts as damaged. Only sparse vectors may still have to be made.
  add_ids(database,
          "SELECT d.id FROM documents d JOIN fields f WHERE "
          "f.name NOT IN (SELECT name FROM vector_sets) AND "
          "NOT EXISTS (SELECT 1 FROM pending_postings WHERE document = d.id AND field = f.id) AND "
          "NOT EXISTS (SELECT 1 FROM postings_documents WHERE document = d.id AND field = f.id)",
          &out.documents);
  return out;
}

}  // namespace fineprint::store
