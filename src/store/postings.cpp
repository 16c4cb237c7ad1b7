// Reads and writes the term index.
#include "store/postings.h"

#include <algorithm>
#include <numeric>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/bytes.h"

namespace fineprint::store {

namespace {

// The id of a field's name; 0 when there is none.
std::int64_t field_id(Database& database, const std::string& field) {
  Query row = database.query("SELECT id FROM fields WHERE name = ?");
  row.bind(std::string_view(field));
  return row.step() ? row.integer(0) : 0;
}

std::int64_t field_id_or_new(Database& database, const std::string& field) {
  if (const std::int64_t id = field_id(database, field); id != 0) return id;
  database.query("INSERT INTO fields(name) VALUES(?)").bind(std::string_view(field)).run();
  return database.last_id();
}

std::size_t shared_prefix(std::string_view a, std::string_view b) {
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < limit && a[i] == b[i]) ++i;
  return i;
}

void remove_terms(Database& database, std::int64_t field, std::int64_t document,
                  const std::vector<std::string>& terms) {
  Query remove =
      database.query("DELETE FROM postings WHERE field = ? AND term = ? AND document = ?");
  for (const std::string& term : terms) {
    remove.bind(field).bind(std::string_view(term)).bind(document).run();
  }
}

[[noreturn]] void fail_damaged(const Database& database, const std::string& what,
                               std::int64_t document, const BlobDamage& damage) {
  throw Error(ErrorCode::store,
              fineprint::format("{}: {} of document {} are damaged: {}; `fineprint index --verify` "
                                "names the file to index again",
                                database.path(), what, document, damage.what()));
}

}  // namespace

std::string encode_postings(std::span<const score::Posting> postings) {
  ByteWriter out;
  std::uint32_t next = 0;
  for (const auto& [unit, frequency] : postings) {
    const std::uint64_t gap = unit - next;
    out.varint(gap * 2 + (frequency == 1 ? 1 : 0));
    if (frequency != 1) out.varint(frequency);
    next = unit + 1;
  }
  return out.bytes();
}

void decode_postings(std::span<const std::uint8_t> blob, std::vector<score::Posting>* out) {
  ByteReader in(blob);
  std::uint64_t next = 0;
  while (!in.at_end()) {
    const std::uint64_t head = in.varint();
    const std::uint64_t unit = next + (head >> 1);
    if (unit >= UINT32_MAX) throw BlobDamage("a unit's number is too large");
    out->push_back({static_cast<std::uint32_t>(unit), (head & 1) != 0 ? 1 : in.varint32()});
    next = unit + 1;
  }
}

std::string encode_lengths(const std::vector<std::uint32_t>& lengths) {
  ByteWriter out;
  for (const std::uint32_t length : lengths) out.varint(length);
  return out.bytes();
}

std::vector<std::uint32_t> decode_lengths(std::span<const std::uint8_t> blob) {
  ByteReader in(blob);
  std::vector<std::uint32_t> out;
  while (!in.at_end()) out.push_back(in.varint32());
  return out;
}

std::string encode_terms(const std::vector<std::string_view>& sorted) {
  ByteWriter out;
  std::string_view before;
  for (const std::string_view term : sorted) {
    const std::size_t shared = shared_prefix(before, term);
    out.varint(shared);
    out.text(term.substr(shared));
    before = term;
  }
  return out.bytes();
}

std::vector<std::string> decode_terms(std::span<const std::uint8_t> blob) {
  ByteReader in(blob);
  std::vector<std::string> out;
  while (!in.at_end()) {
    const std::uint64_t shared = in.varint();
    if (shared > (out.empty() ? 0 : out.back().size())) throw BlobDamage("a term is damaged");
    std::string term = shared == 0 ? std::string() : out.back().substr(0, shared);
    term += in.text();
    out.push_back(std::move(term));
  }
  return out;
}

void insert_field(Database& database, std::int64_t document, const FieldIndex& index) {
  const std::int64_t field = field_id_or_new(database, index.field);
  // In the order of the table's key, so that the tree is walked once from left to right.
  std::vector<std::size_t> order(index.terms.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return index.terms[a] < index.terms[b]; });
  std::vector<std::string_view> sorted;
  Query insert =
      database.query("INSERT INTO postings(field, term, document, units) VALUES(?,?,?,?)");
  for (const std::size_t i : order) {
    const std::string units = encode_postings(index.postings[i]);
    sorted.push_back(index.terms[i]);
    insert.bind(field).bind(sorted.back()).bind(document).bind_blob(units).run();
  }
  const std::string lengths = encode_lengths(index.lengths);
  database.query("INSERT INTO lengths(field, document, units) VALUES(?,?,?)")
      .bind(field)
      .bind(document)
      .bind_blob(lengths)
      .run();
  const std::string terms = encode_terms(sorted);
  database.query("INSERT INTO document_terms(document, field, terms) VALUES(?,?,?)")
      .bind(document)
      .bind(field)
      .bind_blob(terms)
      .run();
}

void remove_fields(Database& database, std::int64_t document) {
  Query fields = database.query("SELECT field, terms FROM document_terms WHERE document = ?");
  fields.bind(document);
  while (fields.step()) {
    const std::int64_t field = fields.integer(0);
    try {
      remove_terms(database, field, document, decode_terms(fields.blob(1)));
    } catch (const BlobDamage&) {
      // Slow, as it looks at every posting, but a damaged document must be replaceable.
      database.query("DELETE FROM postings WHERE field = ? AND document = ?")
          .bind(field)
          .bind(document)
          .run();
    }
    database.query("DELETE FROM lengths WHERE field = ? AND document = ?")
        .bind(field)
        .bind(document)
        .run();
  }
  database.query("DELETE FROM document_terms WHERE document = ?").bind(document).run();
}

TermPostings read_postings(Database& database, const std::string& field, const std::string& term) {
  TermPostings out;
  Query rows = database.query(
      "SELECT document, units FROM postings WHERE term = ?1 AND field = (SELECT id FROM fields "
      "WHERE name = ?2)");
  rows.bind(std::string_view(term)).bind(std::string_view(field));
  while (rows.step()) {
    TermPostings::Part part{rows.integer(0), out.postings.size(), 0};
    try {
      decode_postings(rows.blob(1), &out.postings);
    } catch (const BlobDamage& damage) {
      fail_damaged(database, fineprint::format("the postings of \"{}\"", term), part.document,
                   damage);
    }
    part.end = out.postings.size();
    out.parts.push_back(part);
  }
  return out;
}

std::map<std::int64_t, std::vector<std::uint32_t>> read_lengths(Database& database,
                                                                const std::string& field) {
  std::map<std::int64_t, std::vector<std::uint32_t>> out;
  Query rows = database.query(
      "SELECT document, units FROM lengths WHERE field = (SELECT id FROM fields WHERE name = ?)");
  rows.bind(std::string_view(field));
  while (rows.step()) {
    const std::int64_t document = rows.integer(0);
    try {
      out.emplace_hint(out.end(), document, decode_lengths(rows.blob(1)));
    } catch (const BlobDamage& damage) {
      fail_damaged(database, "the lengths", document, damage);
    }
  }
  return out;
}

}  // namespace fineprint::store
