// Reads the term tables of schema versions 1 and 2, where every term of a document was a row.
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"

#include "store/bytes.h"
#include "store/postings.h"

namespace fineprint::store {

namespace {

std::vector<std::uint32_t> decode_lengths(std::span<const std::uint8_t> blob) {
  std::vector<std::uint32_t> out;
  for (ByteReader in(blob); !in.at_end();) out.push_back(in.varint32());
  return out;
}

// Sorted terms, each as what differs from the one before.
std::vector<std::string> decode_terms(std::span<const std::uint8_t> blob) {
  std::vector<std::string> out;
  for (ByteReader in(blob); !in.at_end();) {
    const std::uint64_t shared = in.varint();
    if (shared > (out.empty() ? 0 : out.back().size())) throw BlobDamage("a term is damaged");
    std::string term = shared == 0 ? std::string() : out.back().substr(0, shared);
    term += in.text();
    if (!out.empty() && term <= out.back()) throw BlobDamage("its terms are out of order");
    out.push_back(std::move(term));
  }
  return out;
}

// Varints of gap * 2 + (frequency is 1), and the frequency where it is not 1.
std::vector<score::Posting> decode_postings(std::span<const std::uint8_t> blob, std::size_t units) {
  std::vector<score::Posting> out;
  std::uint64_t next = 0;
  for (ByteReader in(blob); !in.at_end();) {
    const std::uint64_t head = in.varint();
    const std::uint64_t unit = next + (head >> 1);
    if (unit >= units) throw BlobDamage("a term points outside");
    out.push_back({static_cast<std::uint32_t>(unit), (head & 1) != 0 ? 1 : in.varint32()});
    next = unit + 1;
  }
  return out;
}

struct TermRow {
  std::int64_t document = 0, field = 0;
};

std::vector<TermRow> term_rows(Database& database) {
  std::vector<TermRow> out;
  Query rows = database.query("SELECT document, field FROM document_terms ORDER BY 1, 2");
  while (rows.step()) out.push_back({rows.integer(0), rows.integer(1)});
  return out;
}

FieldIndex read_field(Database& database, const TermRow& row) {
  FieldIndex out;
  {
    Query terms = database.query(
        "SELECT t.terms, l.units, f.name FROM document_terms t JOIN fields f ON f.id = t.field "
        "LEFT JOIN lengths l ON l.field = t.field AND l.document = t.document "
        "WHERE t.document = ? AND t.field = ?");
    terms.bind(row.document).bind(row.field);
    if (!terms.step()) throw BlobDamage("its field is missing");
    out.terms = decode_terms(terms.blob(0));
    out.lengths = decode_lengths(terms.blob(1));
    out.field = terms.text(2);
  }
  for (const std::string& term : out.terms) {
    Query found =
        database.query("SELECT units FROM postings WHERE field = ? AND term = ? AND document = ?");
    found.bind(row.field).bind(std::string_view(term)).bind(row.document);
    if (!found.step()) throw BlobDamage(fineprint::format("the term \"{}\" is missing", term));
    out.postings.push_back(decode_postings(found.blob(0), out.lengths.size()));
  }
  return out;
}

// No settings are equal to none, so the next `index` reads the file again.
void mark_to_index_again(Database& database, std::int64_t document, const std::string& reason) {
  Query row = database.query("UPDATE documents SET settings = '' WHERE id = ? RETURNING doc");
  row.bind(document);
  if (!row.step()) return;
  log::warn("{}: its search terms are damaged: {}; the next `fineprint index` reads it again",
            row.text(0), reason);
}

}  // namespace

void convert_term_tables(Database& database) {
  for (const TermRow& row : term_rows(database)) {
    try {
      insert_field(database, row.document, read_field(database, row));
    } catch (const BlobDamage& damage) {
      mark_to_index_again(database, row.document, damage.what());
    }
  }
  database.execute("DROP TABLE postings; DROP TABLE lengths; DROP TABLE document_terms");
}

}  // namespace fineprint::store
