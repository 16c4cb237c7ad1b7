// What is exported is what the store holds.
#include "fineprint/exchange/export.h"

#include <cstring>
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/json.h"

#include "support/small_store.h"

namespace fineprint::exchange {
namespace {

using fineprint::testing::SmallStore;
using fineprint::testing::TempDir;
using fineprint::testing::typed_page;

store::VectorSet set_of(const std::string& name, store::VectorUnit unit, bool many,
                        score::VectorType type, bool exact = false) {
  store::VectorSet set;
  set.name = set.kind = set.model = set.hash = name;
  set.unit = unit;
  set.many_vectors = many;
  set.dim = 3;
  set.format = {.type = type, .keep_exact = exact};
  return set;
}

// Numbers that no format but float32 has.
const std::vector<float> kOdd = {0.1F, -1.0F / 3, 1.0e-7F};

Selection all_of(const store::Store& store, const std::vector<std::string>& sets = {}) {
  return {.documents = collection(store, {}).documents, .sets = chosen_sets(store, sets)};
}

std::vector<Json> records_of(const store::Store& store, const Selection& selection) {
  std::string text;
  export_records(store, selection, [&](std::string_view piece) { text += piece; });
  std::vector<Json> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out.push_back(Json::parse(text.substr(at, end - at)));
    at = end + 1;
  }
  return out;
}

std::vector<std::uint32_t> bits(const std::vector<float>& values) {
  std::vector<std::uint32_t> out(values.size());
  std::memcpy(out.data(), values.data(), values.size() * sizeof(float));
  return out;
}

// The first row of the first vectors that were exported of a set.
std::vector<float> exported_row(const store::VectorSet& set) {
  SmallStore store;
  const auto id = store.put("a.pdf", {typed_page({"words"})});
  store.register_set(set);
  store.put_vectors(set.name, id, {{kOdd}});
  for (const Json& record : records_of(store.store(), all_of(store.store()))) {
    if (record["type"] == "vectors") return record["rows"][0].get<std::vector<float>>();
  }
  return {};
}

std::vector<float> as_stored(score::VectorType type) {
  const score::EncodedRows rows = score::encode_rows(kOdd, 1, 3, type);
  std::vector<float> out(3);
  score::decode_row(rows.view(), 0, out.data());
  return out;
}

TEST(Export, VectorsReadBackToTheLastBit) {
  using enum score::VectorType;
  for (const score::VectorType type : {f32, f16, bf16, i8}) {
    const auto row = exported_row(set_of("page", store::VectorUnit::page, false, type));
    EXPECT_EQ(bits(row), bits(as_stored(type))) << static_cast<int>(type);
  }
  const auto exact = exported_row(set_of("page", store::VectorUnit::page, false, i8, true));
  EXPECT_EQ(bits(exact), bits(kOdd));
}

TEST(Export, RecordsFollowEachOther) {
  SmallStore store;
  const auto id = store.put("b.pdf", {typed_page({"one two", "three"}), typed_page({"four"})});
  store.put("a.pdf", {typed_page({"five"})});
  store.register_set(set_of("late", store::VectorUnit::page, true, score::VectorType::f32));
  store.put_vectors("late", id, {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}}});
  store.put_map(id, {"maker", R"({"sections": []})"});
  const std::vector<Json> records = records_of(store.store(), all_of(store.store()));
  std::string types;
  for (const Json& record : records) types += record["type"].get<std::string>() + " ";
  EXPECT_EQ(types, "store document page chunk document page page chunk chunk map vectors vectors ");
  EXPECT_EQ(records[0]["sets"][0]["name"], "late");
  EXPECT_EQ(records[5]["doc"], "b.pdf");
  EXPECT_EQ(records[5]["text"], "one two\nthree");
  EXPECT_EQ(records[5]["words"][1][0], "two");
  EXPECT_EQ(records[5]["lines"][1][0], 2);
  EXPECT_EQ(records[5]["elements"][0]["lines"], Json::parse("[0, 2]"));
  EXPECT_EQ(records[9]["map"], Json::parse(R"({"sections": []})"));
  EXPECT_EQ(records[10]["rows"], Json::parse("[[1, 2, 3], [4, 5, 6]]"));
  EXPECT_EQ(records[11]["unit"], 1);
}

TEST(Export, SetsAreChosenByName) {
  SmallStore store;
  store.register_set(set_of("late", store::VectorUnit::page, true, score::VectorType::f32));
  store.register_set(set_of("text", store::VectorUnit::chunk, false, score::VectorType::f32));
  EXPECT_EQ(chosen_sets(store.store(), {}).size(), 2U);
  EXPECT_EQ(chosen_sets(store.store(), {"none"}).size(), 0U);
  ASSERT_EQ(chosen_sets(store.store(), {"text"}).size(), 1U);
  try {
    chosen_sets(store.store(), {"text", "page"});
    FAIL() << "there is no such set";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("late, text"), std::string::npos) << error.what();
  }
}

TEST(Export, PointsOfQdrantAreUnitsWithAllTheirVectors) {
  SmallStore store;
  const auto id = store.put("a.pdf", {typed_page({"one two"}), typed_page({"three"})});
  store.register_set(set_of("late", store::VectorUnit::page, true, score::VectorType::f16));
  store.register_set(set_of("page", store::VectorUnit::page, false, score::VectorType::f32));
  store.register_set(set_of("text", store::VectorUnit::chunk, false, score::VectorType::f32));
  store.put_vectors("late", id, {{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}}});
  store.put_vectors("page", id, {{{1, 0, 0}}});
  store.put_vectors("text", id, {{{0, 1, 0}}, {{0, 0, 1}}});
  const TempDir dir;
  export_qdrant(store.store(), all_of(store.store()), dir.file("out"));
  const Json body = Json::parse(read_file(dir.file("out/collection.json")));
  EXPECT_EQ(body["vectors"]["late"], Json::parse(R"({"size": 3, "distance": "Dot",
                            "multivector_config": {"comparator": "max_sim"},
                            "datatype": "float16"})"));
  EXPECT_EQ(body["vectors"]["text"], Json::parse(R"({"size": 3, "distance": "Cosine"})"));
  const Json points = Json::parse(read_file(dir.file("out/points-00001.json")))["points"];
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0]["vector"],
            Json::parse(R"({"late": [[1, 2, 3], [4, 5, 6]], "page": [1, 0, 0]})"));
  EXPECT_EQ(points[1]["vector"], Json::parse(R"({"late": [[7, 8, 9]]})"));
  EXPECT_EQ(points[1]["payload"]["page"], 2);
  EXPECT_EQ(points[2]["payload"]["unit"], "chunk");
  EXPECT_EQ(points[3]["payload"]["text"], "three");
  // The same units have the same ids, whatever the store.
  const TempDir again;
  export_qdrant(store.store(), all_of(store.store(), {"page"}), again.file("out"));
  const Json fewer = Json::parse(read_file(again.file("out/points-00001.json")))["points"];
  ASSERT_EQ(fewer.size(), 1U);
  EXPECT_EQ(fewer[0]["id"], points[0]["id"]);
  const std::string point = points[0]["id"];
  EXPECT_EQ(point.size(), 36U);
  EXPECT_EQ(point[14], '8');
}

TEST(Export, ManyPointsAreSeveralFiles) {
  SmallStore store;
  const std::string words(200, 'w');
  std::vector<Page> pages;
  std::vector<std::vector<std::vector<float>>> vectors;
  for (int i = 0; i < 60; ++i) {
    pages.push_back(typed_page({words}));
    vectors.emplace_back(40'000, kOdd);  // some 1.2 MB as text
  }
  const auto id = store.put("a.pdf", std::move(pages));
  store.register_set(set_of("late", store::VectorUnit::page, true, score::VectorType::f32));
  store.put_vectors("late", id, vectors);
  const TempDir dir;
  export_qdrant(store.store(), all_of(store.store()), dir.file("out"));
  std::size_t points = 0, files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir.file("out"))) {
    if (entry.path().filename() == "collection.json") continue;
    EXPECT_LT(entry.file_size(), 17U << 20);
    points += Json::parse(read_file(entry.path().string()))["points"].size();
    ++files;
  }
  EXPECT_EQ(points, 60U);
  EXPECT_GE(files, 4U);
}

TEST(Export, MarkdownIsAFileADocument) {
  SmallStore store;
  store.put("sub/a.pdf", {typed_page({"one"}), typed_page({"two"})});
  const TempDir dir;
  const ExportCounts counts =
      export_markdown(store.store(), all_of(store.store()), dir.file("out"));
  EXPECT_EQ(counts.pages, 2);
  EXPECT_EQ(read_file(dir.file("out/sub/a.pdf.md")),
            "---\ntitle: \"sub/a.pdf\"\nsource: \"sub/a.pdf\"\nchanged: 1970-01-01T00:00:00Z\n"
            "pages: 2\n---\n\n<!-- page 1 -->\n\none\n\n<!-- page 2 -->\n\ntwo\n");
}

TEST(Export, NamesThatLeadOutOfTheFolderAreRefusedBeforeAnythingIsWritten) {
  for (const char* doc : {"../a.pdf", "/tmp/a.pdf", "b/../../a.pdf"}) {
    SmallStore store;
    store.put("0.pdf", {typed_page({"one"})});
    store.put(doc, {typed_page({"one"})});
    const TempDir dir;
    EXPECT_THROW(export_markdown(store.store(), all_of(store.store()), dir.file("out")), Error)
        << doc;
    EXPECT_FALSE(std::filesystem::exists(dir.file("out"))) << doc;
  }
}

}  // namespace
}  // namespace fineprint::exchange
