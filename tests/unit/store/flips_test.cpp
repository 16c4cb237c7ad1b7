// One byte of a store is changed, anywhere: verify() finds it, or nothing that is read changes.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/log.h"

#include "power_cut.h"
#include "sample.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using fineprint::testing::TempDir;
using testing::sample_document;

constexpr unsigned kSeed = 20260318;
constexpr int kVocabulary = 40;
const std::vector<std::string> kStateKeys = {"0a1b", "ffee"};

// FINEPRINT_TEST_FLIPS makes it more or fewer.
int flips_wanted() {
  const char* text = std::getenv("FINEPRINT_TEST_FLIPS");
  return text == nullptr ? 2000 : std::atoi(text);
}

const testing::SampleSize kSize{.pages = 3, .words_a_page = 40, .vocabulary = kVocabulary};

std::vector<NewDocument> stored_documents() {
  std::vector<NewDocument> out;
  for (const auto& [doc, seed] : {std::pair{"d0", 0U}, {"d2", 12U}, {"d3", 3U}, {"d4", 4U}}) {
    out.push_back(sample_document(doc, seed, kSize));
  }
  out.push_back(sample_document("d9", 9, kSize));
  return out;
}

VectorSet element_set() {
  VectorSet set = testing::text_set();
  set.name = set.kind = "late-elements";
  set.unit = VectorUnit::element;
  return set;
}

NewVectors element_vectors(std::int64_t document) {
  const std::size_t dim = element_set().dim;
  std::vector<float> values(3 * dim);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i % 7);
  return {document, 0, 3, {}, {3, dim, std::move(values)}};
}

// All kinds of content, and room that was used once and is free.
void make_store(const std::string& dir) {
  Store store(dir, Mode::write);
  for (unsigned i = 0; i < 5; ++i) {
    testing::put_with_vectors(store, sample_document("d" + std::to_string(i), i, kSize));
  }
  store.remove("d1");
  testing::put_with_vectors(store, sample_document("d2", 12, kSize));
  store.compact();
  const auto id = testing::put_with_vectors(store, sample_document("d9", 9, kSize));
  store.put_page_graph(id, "late", {{}, {{1}, {0, 2}, {}}});
  store.register_set(element_set());
  std::vector<NewVectors> of_elements;
  for (const DocumentRow& row : store.documents()) {
    store.put_document_map(row.id, {"maker of " + row.doc, std::string(300, 'm'), {1, 2, 2}});
    of_elements.push_back(element_vectors(row.id));
  }
  store.put_vectors("late-elements", of_elements);
  PrefixFolder states(dir);
  for (const std::string& key : kStateKeys) testing::put_sample_state(states, key, 500);
}

// Everything that was read, one behind the other.
class Dump {
 public:
  template <class Number>
  void number(Number value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void text(std::string_view value) {
    number(value.size());
    out_ += value;
  }
  void box(const Box& box) {
    for (const float edge : {box.x0, box.y0, box.x1, box.y1}) number(edge);
  }
  const std::string& bytes() const { return out_; }

 private:
  std::string out_;
};

void dump_row(const DocumentRow& row, Dump* out) {
  for (const auto* text : {&row.doc, &row.path, &row.title, &row.hash, &row.settings}) {
    out->text(*text);
  }
  for (const auto number : {row.id, row.stamp.size, row.stamp.mtime_ns}) out->number(number);
  for (const int number : {row.page_count, row.ocr_pages, int{row.reflowable}}) {
    out->number(number);
  }
}

void dump_page(const Page& page, Dump* out) {
  out->text(page.label);
  out->text(page.problem);
  out->number(page.width_pt);
  out->number(page.height_pt);
  out->number(page.rotation);
  out->number(page.source);
  for (const Word& word : page.words) {
    out->text(word.text);
    out->box(word.box);
    out->number(word.size_pt);
    out->number(word.bold);
    out->number(word.italic);
    out->number(word.confidence);
  }
  for (const Line& line : page.lines) {
    out->number(line.first_word);
    out->number(line.word_count);
    out->box(line.box);
  }
  for (const Element& element : page.elements) {
    out->number(element.kind);
    out->box(element.box);
    out->number(element.first_line);
    out->number(element.line_count);
    out->number(element.parent);
    out->number(element.level);
    out->text(element.caption);
  }
}

void dump_chunk(const StoredChunk& stored, Dump* out) {
  out->number(stored.ordinal);
  out->number(stored.chunk.page);
  out->number(stored.chunk.first_word);
  out->number(stored.chunk.word_count);
  out->box(stored.chunk.box);
  out->text(stored.chunk.context);
  out->text(stored.chunk.text);
}

void dump_document(const Store& store, const DocumentRow& row, Dump* out) {
  dump_row(row, out);
  dump_row(store.find(row.doc).value_or(DocumentRow{}), out);
  for (int page = 1; page <= row.page_count; ++page) dump_page(store.page(row.id, page), out);
  for (const StoredChunk& chunk : store.chunks(row.id)) {
    dump_chunk(chunk, out);
    dump_chunk(store.chunk(row.id, chunk.ordinal), out);
  }
  for (const OutlineEntry& entry : store.outline(row.id)) {
    out->text(entry.title);
    out->number(entry.level);
    out->number(entry.page);
  }
}

void dump_map(const Store& store, std::int64_t document, Dump* out) {
  const auto map = store.document_map(document);
  out->text(map ? map->maker : "none");
  out->text(map ? map->json : "none");
  out->number(map ? map->element_pages.size() : 0);
}

void dump_postings(const Store& store, const std::string& field, Dump* out) {
  std::vector<score::Posting> postings;
  for (const auto& segment : store.postings(field)) {
    for (const SegmentDocument& document : segment->documents()) {
      out->number(document.document);
      out->number(document.first_unit);
      out->number(document.units);
      out->number(document.live);
    }
    for (const std::uint32_t length : segment->lengths()) out->number(length);
    for (int term = 0; term < kVocabulary; ++term) {
      segment->read("w" + std::to_string(term), &postings);
      for (const score::Posting& posting : postings) {
        out->number(posting.unit);
        out->number(posting.frequency);
      }
    }
  }
}

void dump_rows(const score::VectorRows& rows, Dump* out) {
  std::vector<float> row(rows.dim);
  for (std::size_t i = 0; i < rows.count; ++i) {
    score::decode_row(rows, i, row.data());
    for (const float value : row) out->number(value);
  }
}

void dump_set(const Store& store, const VectorSet& set, Dump* out) {
  for (const auto* text : {&set.name, &set.kind, &set.model, &set.hash, &set.input, &set.spec}) {
    out->text(*text);
  }
  out->text(to_string(set.format));
  out->number(set.unit);
  out->number(set.many_vectors);
  out->number(set.dim);
  out->number(set.pool_factor);
  for (const VectorBlock& block : store.vectors(set.name)) {
    out->number(block.document);
    out->number(block.first_unit);
    for (const std::uint32_t row : block.first_row) out->number(row);
    dump_rows(block.rows, out);
    if (block.exact) dump_rows(*block.exact, out);
    for (const float error : block.errors) out->number(error);
  }
  for (const auto& [document, ranges] : store.missing_vectors(set.name)) {
    out->number(document);
    for (const UnitRange& range : ranges) out->number(range);
  }
}

void dump_graph(const Store& store, std::int64_t document, const std::string& set, Dump* out) {
  const auto graph = store.page_graph(document, set);
  if (!graph) return;
  out->number(document);
  out->number(graph->options.similarity);
  out->number(graph->options.neighbours);
  out->number(graph->options.threshold);
  out->number(graph->options.smallest);
  for (const auto& neighbours : graph->neighbours) {
    out->number(neighbours.size());
    for (const std::uint32_t page : neighbours) out->number(page);
  }
}

std::string dump(const std::string& dir) {
  Dump out;
  const Store store(dir, Mode::read);
  out.text(store.id());
  const Totals totals = store.totals();
  for (const auto count : {totals.documents, totals.pages, totals.chunks}) out.number(count);
  const auto sets = store.vector_sets();
  for (const DocumentRow& row : store.documents()) {
    dump_document(store, row, &out);
    dump_map(store, row.id, &out);
    for (const VectorSet& set : sets) dump_graph(store, row.id, set.name, &out);
  }
  for (const auto& pages_of_units : {store.chunk_pages(), store.element_pages()}) {
    for (const auto& [document, pages] : pages_of_units) {
      out.number(document);
      for (const std::int32_t page : pages) out.number(page);
    }
  }
  dump_postings(store, "page", &out);
  dump_postings(store, "chunk", &out);
  for (const VectorSet& set : sets) dump_set(store, set, &out);
  const PrefixFolder states(dir);
  for (const std::string& key : kStateKeys) {
    const auto found = states.find(key);
    out.text(found ? std::string_view(reinterpret_cast<const char*>(found->bytes.data()),
                                      found->bytes.size())
                   : "none");
  }
  return out.bytes();
}

struct Looked {
  std::string read;   // all that can be read, or why it cannot
  std::string found;  // what verify says, one problem a line
};

Looked look(const std::string& dir) {
  Looked out;
  try {
    out.read = dump(dir);
  } catch (const Error& error) {
    out.read = error.what();
  }
  try {
    for (const auto& line : Store(dir, Mode::read).verify()) out.found += line + "\n";
    for (const auto& line : PrefixFolder(dir).check()) out.found += line + "\n";
  } catch (const Error& error) {
    out.found += std::string(error.what()) + "\n";
  }
  // Readers leave these where the last one could not fold them in.
  for (const char* side : {"-wal", "-shm"}) {
    std::filesystem::remove(dir + "/catalog.sqlite" + side);
  }
  return out;
}

struct Files {
  std::vector<std::string> paths;
  std::vector<std::size_t> sizes;
};

Files files_of(const std::string& dir) {
  std::map<std::string, std::size_t> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir)) {
    if (entry.is_regular_file() && entry.file_size() > 0) {
      found[entry.path().string()] = entry.file_size();
    }
  }
  Files out;
  for (const auto& [path, size] : found) {
    out.paths.push_back(path);
    out.sizes.push_back(size);
  }
  return out;
}

struct Place {
  std::size_t file = 0;
  std::size_t offset = 0;
  char mask = 0;
};

// Every second time any byte is as likely as any other, else any file.
Place random_place(const Files& files, std::mt19937& random) {
  Place out;
  if (random() % 2 == 0) {
    out.file = random() % files.sizes.size();
  } else {
    std::discrete_distribution<std::size_t> by_size(files.sizes.begin(), files.sizes.end());
    out.file = by_size(random);
  }
  out.offset = random() % files.sizes[out.file];
  out.mask = static_cast<char>(1 + random() % 255);
  return out;
}

void flip(const Files& files, const Place& place) {
  std::fstream file(files.paths[place.file], std::ios::in | std::ios::out | std::ios::binary);
  char byte = 0;
  file.seekg(static_cast<std::streamoff>(place.offset)).get(byte);
  file.seekp(static_cast<std::streamoff>(place.offset)).put(static_cast<char>(byte ^ place.mask));
}

class Flips : public ::testing::Test {
 protected:
  Flips() { log::set_level(log::Level::quiet); }  // states warn of their damage
  ~Flips() override { log::set_level(level_); }

 private:
  log::Level level_ = log::level();
  const testing::NoSyncs no_syncs_;
};

TEST_F(Flips, AreFoundOrChangeNothing) {
  const TempDir dir;
  const std::string store = dir.file("s");
  make_store(store);
  const Looked before = look(store);
  ASSERT_EQ(before.found, "");
  const Files files = files_of(store);
  std::mt19937 random(kSeed);
  int found = 0, harmless = 0;
  for (int i = 0; i < flips_wanted(); ++i) {
    const Place place = random_place(files, random);
    flip(files, place);
    const Looked after = look(store);
    flip(files, place);
    found += after.found.empty() ? 0 : 1;
    harmless += after.found.empty() && after.read == before.read ? 1 : 0;
    EXPECT_TRUE(!after.found.empty() || after.read == before.read)
        << "flip " << i << ": byte " << place.offset << " of " << files.paths[place.file] << " by "
        << int{place.mask} << ": " << (after.read.size() < 500 ? after.read : "another content");
  }
  RecordProperty("found", found);
  RecordProperty("harmless", harmless);
  EXPECT_EQ(look(store).read, before.read);
  EXPECT_GT(found, flips_wanted() / 2);
}

void put_missing_vectors(Store& store, const NewDocument& document, std::int64_t id) {
  const auto pages = static_cast<std::uint32_t>(document.pages.size());
  if (store.missing_vectors("text").contains(id)) {
    store.put_vectors("text", std::vector{testing::text_vectors(document, id)});
  }
  if (store.missing_vectors("late").contains(id)) {
    store.put_vectors("late", std::vector{testing::late_vectors(document, id, 0, pages)});
  }
}

// As `index` does after repair().
void index_again(Store& store) {
  for (const NewDocument& document : stored_documents()) {
    const auto known = store.find(document.row.doc);
    const bool again = !known || known->settings != document.row.settings;
    put_missing_vectors(store, document, again ? store.put(document) : known->id);
  }
  store.compact();
  PrefixFolder(store.dir()).remove_unusable();
}

// The store that was damaged by a flip: whether repairing it and indexing again makes it whole.
void expect_mended(const std::string& dir, int* mended) {
  try {
    Store store(dir, Mode::write);
    store.repair();
    index_again(store);
    ++*mended;
    for (const NewDocument& document : stored_documents()) {
      EXPECT_EQ(testing::difference(store, document), "") << document.row.doc;
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::store) << error.what();
    return;
  }
  EXPECT_EQ(look(dir).found, "");
}

TEST_F(Flips, AreMended) {
  const TempDir dir;
  const std::string sound = dir.file("sound"), store = dir.file("s");
  make_store(sound);
  std::mt19937 random(kSeed + 2);
  int found = 0, mended = 0;
  for (int i = 0; i < flips_wanted() / 20; ++i) {
    std::filesystem::remove_all(store);
    std::filesystem::copy(sound, store, std::filesystem::copy_options::recursive);
    const Files files = files_of(store);
    const Place place = random_place(files, random);
    flip(files, place);
    const Looked looked = look(store);
    if (looked.found.empty()) continue;
    SCOPED_TRACE(files.paths[place.file] + " at " + std::to_string(place.offset) + ": " +
                 looked.found);
    ++found;
    expect_mended(store, &mended);
  }
  RecordProperty("found", found);
  RecordProperty("mended", mended);
  EXPECT_GT(mended, found / 2);
}

// Writing goes well or says why not.
TEST_F(Flips, AreNoSurpriseToAWriter) {
  const TempDir dir;
  const std::string sound = dir.file("sound"), store = dir.file("s");
  make_store(sound);
  std::mt19937 random(kSeed + 1);
  int written = 0;
  for (int i = 0; i < flips_wanted() / 20; ++i) {
    std::filesystem::remove_all(store);
    std::filesystem::copy(sound, store, std::filesystem::copy_options::recursive);
    const Files files = files_of(store);
    flip(files, random_place(files, random));
    try {
      Store writer(store, Mode::write);
      testing::put_with_vectors(writer, sample_document("d3", 33));
      writer.remove("d0");
      writer.compact();
      ++written;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::store) << error.what();
    }
  }
  EXPECT_GT(written, flips_wanted() / 50);
}

}  // namespace
}  // namespace fineprint::store
