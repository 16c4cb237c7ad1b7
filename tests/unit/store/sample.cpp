// Makes documents and compares them with what a store gives back.
#include "sample.h"

#include <algorithm>
#include <map>

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
         a.problem == b.problem && a.words == b.words && a.lines == b.lines &&
         a.elements == b.elements;
}

bool same_postings(const Store& store, const FieldIndex& field, std::int64_t document) {
  for (std::size_t i = 0; i < field.terms.size(); ++i) {
    bool found = false;
    store.postings(field.field, field.terms[i], [&](std::int64_t id, auto postings) {
      if (id != document) return;
      found = std::equal(postings.begin(), postings.end(), field.postings[i].begin(),
                         field.postings[i].end(), [](const auto& a, const auto& b) {
                           return a.unit == b.unit && a.frequency == b.frequency;
                         });
    });
    if (!found) return false;
  }
  return store.lengths(field.field).at(document) == field.lengths;
}

bool same_vectors(const Store& store, const std::string& scorer, const Matrix& matrix,
                  std::int64_t document) {
  for (const VectorBlock& block : store.vectors(scorer)) {
    if (block.document != document) continue;
    return block.rows == matrix.rows && block.dim == matrix.cols &&
           std::equal(matrix.values.begin(), matrix.values.end(), block.values);
  }
  return matrix.rows == 0;
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
  out.row.hash = std::string(32, 'a');
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
  Matrix vectors{out.chunks.size(), size.dim, {}};
  for (std::size_t i = 0; i < vectors.rows * vectors.cols; ++i) {
    vectors.values.push_back(static_cast<float>(random() % 1000) / 1000);
  }
  if (vectors.rows > 0) out.vectors["text"] = std::move(vectors);
  return out;
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
  for (const auto& [scorer, matrix] : put.vectors) {
    if (!same_vectors(store, scorer, matrix, row->id)) return "the vectors differ";
  }
  return "";
}

}  // namespace fineprint::store::testing
