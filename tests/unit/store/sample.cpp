// Makes documents and compares them with what a store gives back.
#include "sample.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <span>

namespace fineprint::store::testing {

namespace {

constexpr int kWordsALine = 10;

std::string word_text(std::mt19937& random, int vocabulary) {
  return "w" + std::to_string(random() % static_cast<unsigned>(vocabulary));
}

Chunk chunk_of(const Page& page, std::uint32_t first, std::uint32_t count) {
  Chunk chunk{page.number, first, count, {}, "Report > Part", ""};
  for (std::uint32_t i = first; i < first + count; ++i) {
    chunk.box = united(chunk.box, page.words[i].box);
    chunk.text += (i == first ? "" : i % kWordsALine == 0 ? "\n" : " ") + page.words[i].text;
  }
  return chunk;
}

FieldIndex index_of(const std::string& field, const std::vector<std::vector<Word>>& units) {
  std::map<std::string, std::map<std::uint32_t, std::uint32_t>> counts;
  FieldIndex out{field, {}, {}, {}};
  for (std::uint32_t unit = 0; unit < units.size(); ++unit) {
    for (const Word& word : units[unit]) ++counts[word.text][unit];
    out.lengths.push_back(static_cast<std::uint32_t>(units[unit].size()));
  }
  for (const auto& [term, postings] : counts) {
    out.terms.push_back(term);
    out.postings.emplace_back();
    for (const auto& [unit, frequency] : postings) out.postings.back().push_back({unit, frequency});
  }
  return out;
}

bool same_page(const Page& a, const Page& b) {
  return a.number == b.number && a.label == b.label && a.width_pt == b.width_pt &&
         a.height_pt == b.height_pt && a.rotation == b.rotation && a.source == b.source &&
         a.language == b.language && a.problem == b.problem && a.words == b.words &&
         a.lines == b.lines && a.elements == b.elements;
}

// The postings of a term that are those of a live document, by its own units.
std::vector<score::Posting> postings_of(const Store& store, const FieldIndex& field,
                                        const std::string& term, std::int64_t document) {
  std::vector<score::Posting> out, all;
  for (const auto& segment : store.postings(field.field)) {
    segment->read(term, &all);
    for (const SegmentDocument& owner : segment->documents()) {
      if (owner.document != document || !owner.live) continue;
      for (const score::Posting& posting : all) {
        if (posting.unit >= owner.first_unit && posting.unit < owner.first_unit + owner.units) {
          out.push_back({posting.unit - owner.first_unit, posting.frequency});
        }
      }
    }
  }
  return out;
}

std::vector<std::uint32_t> lengths_of(const Store& store, const std::string& field,
                                      std::int64_t document) {
  std::vector<std::uint32_t> out;
  for (const auto& segment : store.postings(field)) {
    for (const SegmentDocument& owner : segment->documents()) {
      if (owner.document != document || !owner.live) continue;
      const auto lengths = segment->lengths().subspan(owner.first_unit, owner.units);
      out.insert(out.end(), lengths.begin(), lengths.end());
    }
  }
  return out;
}

bool same_postings(const Store& store, const FieldIndex& field, std::int64_t document) {
  for (std::size_t i = 0; i < field.terms.size(); ++i) {
    const auto found = postings_of(store, field, field.terms[i], document);
    if (!std::equal(found.begin(), found.end(), field.postings[i].begin(), field.postings[i].end(),
                    [](const auto& a, const auto& b) {
                      return a.unit == b.unit && a.frequency == b.frequency;
                    })) {
      return false;
    }
  }
  return lengths_of(store, field.field, document) == field.lengths;
}

// Rows of one unit, which follow from the document's seed.
void append_unit(const NewDocument& document, std::uint32_t unit, std::uint32_t rows, Matrix* out) {
  std::mt19937 random(static_cast<unsigned>(document.row.stamp.size) * 1009 + unit);
  for (std::size_t i = 0; i < rows * out->cols; ++i) {
    out->values.push_back(static_cast<float>(random() % 2000) / 1000 - 1);
  }
  out->rows += rows;
}

// float32 rows, bit for bit.
bool same_rows(const score::VectorRows& rows, const Matrix& expected) {
  const auto* values = static_cast<const float*>(rows.values);
  return rows.type == score::VectorType::f32 && rows.count == expected.rows &&
         rows.dim == expected.cols &&
         std::equal(expected.values.begin(), expected.values.end(), values);
}

// Codes stand for their originals, as far off as the block says.
bool near_rows(const VectorBlock& block) {
  std::vector<float> coded(block.rows.dim), exact(block.rows.dim);
  for (std::size_t row = 0; row < block.rows.count; ++row) {
    score::decode_row(block.rows, row, coded.data());
    score::decode_row(*block.exact, row, exact.data());
    double square = 0;
    for (std::size_t i = 0; i < coded.size(); ++i) {
      const double off = static_cast<double>(exact[i]) - static_cast<double>(coded[i]);
      square += off * off;
    }
    if (std::abs(std::sqrt(square) - static_cast<double>(block.errors[row])) > 1e-4) return false;
  }
  return block.errors.size() == block.rows.count;
}

bool same_text(const VectorBlock& block, const NewDocument& document) {
  return block.first_unit == 0 && block.units == document.chunks.size() &&
         same_rows(block.rows, text_vectors(document, block.document).rows);
}

bool same_late(const VectorBlock& block, const NewDocument& document) {
  const NewVectors expected = late_vectors(document, block.document, block.first_unit, block.units);
  std::uint32_t row = 0;
  for (std::size_t i = 0; i < block.units; ++i) {
    if (block.first_row[i] != row) return false;
    row += expected.rows_of_unit[i];
  }
  return block.first_row.back() == row && same_rows(*block.exact, expected.rows) &&
         near_rows(block);
}

bool same_vectors(const Store& store, const NewDocument& document, std::int64_t id) {
  for (const VectorBlock& block : store.vectors("text")) {
    if (block.document == id && !same_text(block, document)) return false;
  }
  for (const VectorBlock& block : store.vectors("late")) {
    if (block.document == id && !same_late(block, document)) return false;
  }
  return true;
}

}  // namespace

Page sample_page(int number, const SampleSize& size, std::mt19937& random) {
  Page page;
  page.number = number;
  page.label = "p" + std::to_string(number);
  page.width_pt = 595.276F;
  page.height_pt = 841.89F;
  page.source = TextSource::native;
  for (int i = 0; i < size.words_a_page; ++i) {
    const float x = 50.1F + 48.3F * static_cast<float>(i % kWordsALine);
    const float y = 60.7F + 12.2F * static_cast<float>(i / kWordsALine);
    Word word{word_text(random, size.vocabulary), {x, y, x + 40.3F, y + 10.1F}, 9.96F};
    word.bold = i < kWordsALine;
    page.words.push_back(std::move(word));
  }
  for (int first = 0; first < size.words_a_page; first += kWordsALine) {
    const int count = std::min(kWordsALine, size.words_a_page - first);
    Line line{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), {}};
    for (int i = first; i < first + count; ++i) {
      line.box = united(line.box, page.words[static_cast<std::size_t>(i)].box);
    }
    page.lines.push_back(line);
  }
  const auto lines = static_cast<std::uint32_t>(page.lines.size());
  if (lines == 0) return page;
  page.elements.push_back({ElementKind::heading, page.lines[0].box, 0, 1, -1, 1, ""});
  page.elements.push_back({ElementKind::table, {50, 70, 500, 300}, 1, lines - 1, 0, 0, "Table 1"});
  return page;
}

NewDocument sample_document(const std::string& doc, unsigned seed, const SampleSize& size) {
  std::mt19937 random(seed);
  NewDocument out;
  out.row.doc = doc;
  out.row.path = "/somewhere/" + doc;
  out.row.title = "Title " + std::to_string(seed);
  out.row.hash = "hash" + std::to_string(seed);
  out.row.settings = "settings";
  out.row.stamp = {1000 + seed, 77};
  out.row.page_count = size.pages;
  out.info = {"PDF 1.7", "meta", size.pages, false, {{1, "Part", 1}, {2, "Sub", 2}}};
  std::vector<std::vector<Word>> page_units, chunk_units;
  for (int number = 1; number <= size.pages; ++number) {
    const Page page = sample_page(number, size, random);
    page_units.push_back(page.words);
    const auto words = static_cast<std::uint32_t>(page.words.size());
    for (const auto& [first, count] : {std::pair{0U, words / 2}, {words / 2, words - words / 2}}) {
      out.chunks.push_back(chunk_of(page, first, count));
      chunk_units.emplace_back(page.words.begin() + first, page.words.begin() + first + count);
    }
    out.pages.push_back(page);
  }
  out.fields = {index_of("page", page_units), index_of("chunk", chunk_units)};
  return out;
}

VectorSet text_set() {
  VectorSet set;
  set.name = set.kind = "text";
  set.model = "mini";
  set.hash = "h1";
  set.dim = 8;
  return set;
}

VectorSet late_set() {
  VectorSet set;
  set.name = set.kind = "late";
  set.unit = VectorUnit::page;
  set.many_vectors = true;
  set.model = "pali";
  set.hash = "h2";
  set.input = "144 dpi";
  set.spec = "/models/pali";
  set.dim = 5;
  set.format = {score::VectorType::i8, true};
  return set;
}

NewVectors text_vectors(const NewDocument& document, std::int64_t id) {
  const auto units = static_cast<std::uint32_t>(document.chunks.size());
  NewVectors out{id, 0, units, {}, {0, text_set().dim, {}}};
  for (std::uint32_t unit = 0; unit < units; ++unit) append_unit(document, unit, 1, &out.rows);
  return out;
}

NewVectors late_vectors(const NewDocument& document, std::int64_t id, std::uint32_t first_page,
                        std::uint32_t pages) {
  NewVectors out{id, first_page, pages, {}, {0, late_set().dim, {}}};
  for (std::uint32_t unit = first_page; unit < first_page + pages; ++unit) {
    out.rows_of_unit.push_back(1 + unit % 3);
    append_unit(document, unit, out.rows_of_unit.back(), &out.rows);
  }
  return out;
}

std::int64_t put_with_vectors(Store& store, const NewDocument& document) {
  store.register_set(text_set());
  store.register_set(late_set());
  const std::int64_t id = store.put(document);
  const auto pages = static_cast<std::uint32_t>(document.pages.size());
  store.put_vectors("text", std::vector{text_vectors(document, id)});
  store.put_vectors("late", std::vector{late_vectors(document, id, 0, pages / 2)});
  store.put_vectors("late", std::vector{late_vectors(document, id, pages / 2, pages - pages / 2)});
  return id;
}

std::string difference(const Store& store, const NewDocument& put) {
  const auto row = store.find(put.row.doc);
  if (!row) return "not found";
  if (row->title != put.row.title || row->stamp != put.row.stamp) return "another version's row";
  for (const Page& page : put.pages) {
    if (!same_page(store.page(row->id, page.number), page)) return "a page differs";
  }
  const auto chunks = store.chunks(row->id);
  if (chunks.size() != put.chunks.size()) return "the number of chunks differs";
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    if (!(chunks[i].chunk == put.chunks[i]) || chunks[i].ordinal != i) return "a chunk differs";
  }
  for (const FieldIndex& field : put.fields) {
    if (!same_postings(store, field, row->id)) return "the field " + field.field + " differs";
  }
  return same_vectors(store, put, row->id) ? "" : "the vectors differ";
}

std::string sample_state(const std::string& key, std::size_t bytes) {
  std::mt19937 random(static_cast<unsigned>(std::hash<std::string>()(key)));
  std::string out(bytes, '\0');
  for (char& byte : out) byte = static_cast<char>(random());
  return out;
}

bool put_sample_state(PrefixFolder& folder, const std::string& key, std::size_t bytes) {
  const std::string whole = sample_state(key, bytes);
  const std::span<const std::uint8_t> all(reinterpret_cast<const std::uint8_t*>(whole.data()),
                                          whole.size());
  const std::span<const std::uint8_t> pieces[] = {
      all.first(bytes / 3), all.subspan(bytes / 3, bytes / 2), all.subspan(bytes / 3 + bytes / 2)};
  return folder.put(key, pieces);
}

}  // namespace fineprint::store::testing
