// Vector sets: what is registered, stored in parts, found missing, kept and found damaged.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "sample.h"
#include "store/sqlite.h"
#include "support/has.h"
#include "support/temp_dir.h"
#include "tampering.h"

namespace fineprint::store {
namespace {

using fineprint::testing::has;
using fineprint::testing::TempDir;
using score::VectorType;
using testing::change;
using testing::difference;
using testing::error_of;
using testing::late_set;
using testing::late_vectors;
using testing::put_with_vectors;
using testing::sample_document;
using testing::text_set;
using testing::text_vectors;
using Missing = std::map<std::int64_t, std::vector<UnitRange>>;
using Lines = std::vector<std::string>;

// A set of one vector of four numbers a page.
VectorSet page_set(const VectorFormat& format = {}) {
  VectorSet set;
  set.name = set.kind = "page";
  set.unit = VectorUnit::page;
  set.model = "siglip";
  set.hash = "h3";
  set.dim = 4;
  set.format = format;
  return set;
}

NewVectors page_vectors(std::int64_t document, std::uint32_t first, std::uint32_t pages,
                        float value) {
  return {document, first, pages, {}, {pages, 4, std::vector<float>(pages * 4, value)}};
}

float first_value(const VectorBlock& block) {
  std::vector<float> row(block.rows.dim);
  score::decode_row(block.rows, 0, row.data());
  return row[0];
}

class Vectors : public ::testing::Test {
 protected:
  std::int64_t put(const std::string& doc, unsigned seed, int pages) {
    return store_.put(sample_document(doc, seed, {.pages = pages}));
  }
  // Flips the last byte of the only segment file of a set.
  std::string damage(const std::string& set) const {
    std::string file;
    for (const auto& entry : std::filesystem::directory_iterator(dir_.file("s/vectors/" + set))) {
      file = entry.path();
    }
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(-1, std::ios::end);
    const auto byte = static_cast<char>(stream.get() ^ 0x11);
    stream.seekp(-1, std::ios::end);
    stream.put(byte);
    return file;
  }

  TempDir dir_;
  Store store_{dir_.file("s"), Mode::write};
};

TEST(VectorFormats, HaveNamesThatAreRead) {
  for (const char* name : {"float32", "float16", "bfloat16", "int8", "int8+float32"}) {
    ASSERT_TRUE(parse_vector_format(name)) << name;
    EXPECT_EQ(to_string(*parse_vector_format(name)), name);
  }
  for (const char* name : {"", "int4", "float32+float32", "int8+"}) {
    EXPECT_FALSE(parse_vector_format(name)) << name;
  }
}

TEST_F(Vectors, OfEveryFormatComeBack) {
  const auto id = put("a.pdf", 1, 3);
  for (const char* name : {"float32", "float16", "bfloat16", "int8", "int8+float32"}) {
    VectorSet set = page_set(*parse_vector_format(name));
    set.name = "page-" + std::to_string(store_.vector_sets().size());
    store_.register_set(set);
    NewVectors vectors = page_vectors(id, 0, 3, 0.5F);
    vectors.rows.values[4] = -0.25F;
    store_.put_vectors(set.name, std::vector{vectors});
    const auto blocks = store_.vectors(set.name);
    ASSERT_EQ(blocks.size(), 1U) << name;
    EXPECT_EQ(blocks[0].rows.type, set.format.type);
    EXPECT_EQ(blocks[0].first_row, (std::vector<std::uint32_t>{0, 1, 2, 3}));
    std::vector<float> row(4);
    score::decode_row(blocks[0].rows, 1, row.data());
    EXPECT_NEAR(row[0], -0.25F, 0.003F) << name;
    EXPECT_EQ(blocks[0].exact.has_value(), set.format.keep_exact);
    EXPECT_EQ(blocks[0].errors.size(), set.format.keep_exact ? 3U : 0U);
  }
  EXPECT_EQ(store_.verify(), Lines());
}

// Small parts of many segments, some of documents that went, joined into few: not a bit differs.
TEST_F(Vectors, OfEveryFormatAreJoinedAsTheyAre) {
  constexpr unsigned kDocuments = 24;
  std::vector<std::int64_t> ids;
  for (unsigned i = 0; i < kDocuments; ++i) ids.push_back(put(std::to_string(i), i, 3));
  const std::vector<std::string> formats = {"float32", "float16", "bfloat16", "int8",
                                            "int8+float32"};
  for (const std::string& format : formats) {
    VectorSet set = page_set(*parse_vector_format(format));
    set.name = "page-" + std::to_string(store_.vector_sets().size());
    store_.register_set(set);
    for (unsigned i = 0; i < kDocuments; ++i) {
      NewVectors one = page_vectors(ids[i], 0, 3, 0.5F);
      for (std::size_t k = 0; k < 12; ++k) one.rows.values[k] = 0.01F * float(12 * i + k) - 1;
      store_.put_vectors(set.name, std::vector{one});
    }
  }
  for (unsigned i = 0; i < kDocuments; i += 5) store_.remove(std::to_string(i));
  const auto bits = [&](const std::string& set) {
    std::map<std::int64_t, std::string> out;
    for (const VectorBlock& block : store_.vectors(set)) {
      std::vector<float> row(4);
      std::string& text = out[block.document];
      for (std::size_t r = 0; r < block.rows.count; ++r) {
        score::decode_row(block.rows, r, row.data());
        for (const float value : row) text += fineprint::format("{} ", double{value});
        if (!block.exact) continue;
        score::decode_row(*block.exact, r, row.data());
        for (const float value : row) text += fineprint::format("{} ", double{value});
        text += fineprint::format("{}\n", double{block.errors[r]});
      }
    }
    return out;
  };
  std::map<std::string, std::map<std::int64_t, std::string>> before;
  for (const VectorSet& set : store_.vector_sets()) before[set.name] = bits(set.name);
  store_.compact();
  ASSERT_EQ(before.size(), formats.size());
  for (const auto& [name, expected] : before) {
    EXPECT_EQ(expected.size(), kDocuments - 5);
    EXPECT_EQ(bits(name), expected) << name;
    const std::filesystem::directory_iterator files(dir_.file("s/vectors/" + name));
    EXPECT_LE(std::distance(files, {}), 16) << name;
  }
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(Vectors, ComeInPartsAndMissingOnesAreTold) {
  store_.register_set(page_set());
  EXPECT_EQ(store_.missing_vectors("page"), Missing());
  const auto a = put("a.pdf", 1, 10), b = put("b.pdf", 2, 3);
  EXPECT_EQ(store_.missing_vectors("page"), (Missing{{a, {{0, 10}}}, {b, {{0, 3}}}}));
  store_.put_vectors("page", std::vector{page_vectors(a, 2, 3, 1), page_vectors(a, 5, 1, 2),
                                         page_vectors(b, 0, 3, 3), page_vectors(a, 8, 1, 4)});
  EXPECT_EQ(store_.missing_vectors("page"), (Missing{{a, {{0, 2}, {6, 2}, {9, 1}}}}));
  const auto blocks = store_.vectors("page");
  ASSERT_EQ(blocks.size(), 3U);  // neighbours of one call are one part
  EXPECT_EQ(blocks[0].first_unit, 2U);
  EXPECT_EQ(blocks[0].units, 4U);
  EXPECT_EQ(blocks[1].first_unit, 8U);
  EXPECT_EQ(blocks[2].document, b);
  EXPECT_EQ(first_value(blocks[2]), 3);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir_.file("s/vectors/page")), {}), 1);
}

TEST_F(Vectors, ReplaceEarlierPartsThatTheyOverlap) {
  store_.register_set(page_set());
  const auto id = put("a.pdf", 1, 10);
  store_.put_vectors("page", std::vector{page_vectors(id, 0, 4, 1)});
  store_.put_vectors("page", std::vector{page_vectors(id, 4, 4, 2)});
  store_.put_vectors("page", std::vector{page_vectors(id, 3, 1, 3)});
  EXPECT_EQ(store_.missing_vectors("page"), (Missing{{id, {{0, 3}, {8, 2}}}}));
  store_.put_vectors("page", std::vector{page_vectors(id, 0, 10, 4)});
  ASSERT_EQ(store_.vectors("page").size(), 1U);
  EXPECT_EQ(first_value(store_.vectors("page")[0]), 4);
  store_.compact();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir_.file("s/vectors/page")), {}), 1);
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(Vectors, OfDocumentsThatAreGoneAreLeftOut) {
  store_.register_set(page_set());
  const auto gone = put("gone.pdf", 1, 2), here = put("here.pdf", 2, 2);
  store_.remove("gone.pdf");
  store_.put_vectors("page", std::vector{page_vectors(gone, 0, 2, 1), page_vectors(here, 0, 2, 2)});
  ASSERT_EQ(store_.vectors("page").size(), 1U);
  EXPECT_EQ(first_value(store_.vectors("page")[0]), 2);
  store_.put_vectors("page", std::vector{page_vectors(gone, 0, 2, 1)});
  store_.put_page_graph(gone, "page", {{}, {{1}, {0}}});
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(Vectors, WithValuesThatAreNotFiniteAreRefused) {
  store_.register_set(late_set());
  const auto document = sample_document("a.pdf", 1, {.pages = 4});
  const auto id = store_.put(document);
  for (const float bad : {std::nanf(""), std::numeric_limits<float>::infinity()}) {
    auto vectors = late_vectors(document, id, 1, 3);
    vectors.rows.values.back() = bad;  // of page index 3
    const auto message = error_of(ErrorCode::model, [&] {
      store_.put_vectors("late", std::vector{late_vectors(document, id, 0, 1), vectors});
    });
    EXPECT_TRUE(has(message, "page 4 of a.pdf")) << message;
    EXPECT_TRUE(has(message, "pali")) << message;
  }
  EXPECT_TRUE(store_.vectors("late").empty());
  EXPECT_FALSE(std::filesystem::exists(dir_.file("s/vectors/late")));
}

TEST_F(Vectors, TooLargeForFloat16AreRefused) {
  store_.register_set(page_set({VectorType::f16}));
  const auto id = put("a.pdf", 1, 2);
  store_.put_vectors("page", std::vector{page_vectors(id, 0, 2, 65'504)});
  EXPECT_TRUE(has(
      error_of(ErrorCode::model,
               [&] { store_.put_vectors("page", std::vector{page_vectors(id, 0, 2, 65'520)}); }),
      "bfloat16"));
}

TEST_F(Vectors, ThatContradictThemselvesAreRefused) {
  store_.register_set(page_set());
  store_.register_set(late_set());
  const auto document = sample_document("a.pdf", 1, {.pages = 4});
  const auto id = store_.put(document);
  const auto refused = [&](const std::string& set, const NewVectors& vectors) {
    return error_of(ErrorCode::internal, [&] { store_.put_vectors(set, std::vector{vectors}); });
  };
  EXPECT_TRUE(has(refused("page", page_vectors(id, 2, 3, 1)), "fewer units"));
  EXPECT_TRUE(has(refused("late", page_vectors(id, 0, 3, 1)), "dimension"));
  auto vectors = page_vectors(id, 0, 3, 1);
  vectors.rows.values.pop_back();
  refused("page", vectors);
  vectors = page_vectors(id, 0, 2, 1);
  vectors.rows_of_unit = {2, 0};
  EXPECT_TRUE(has(refused("page", vectors), "exactly one vector for each unit"));
  auto late = late_vectors(document, id, 0, 3);
  late.rows_of_unit[1] += 1;
  EXPECT_TRUE(has(refused("late", late), "sum"));
  late.rows_of_unit.pop_back();
  refused("late", late);
  EXPECT_TRUE(has(refused("nowhere", page_vectors(id, 0, 1, 1)), "registered"));
  EXPECT_TRUE(store_.vectors("page").empty());
}

TEST_F(Vectors, SetsAreFoundAgainAndKeptApart) {
  store_.register_set(late_set());
  VectorSet second = late_set();
  second.name = "late-2";
  second.hash = "another";
  store_.register_set(second);
  VectorSet moved = late_set();
  moved.spec = "/elsewhere/pali";
  moved.model = "pali, moved";
  store_.register_set(moved);
  const auto sets = store_.vector_sets();
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].name, "late");
  EXPECT_EQ(sets[0].spec, "/elsewhere/pali");
  EXPECT_EQ(sets[0].unit, VectorUnit::page);
  EXPECT_TRUE(sets[0].many_vectors);
  EXPECT_EQ(sets[0].input, "144 dpi");
  EXPECT_EQ(sets[0].dim, 5U);
  EXPECT_EQ(sets[0].format, (VectorFormat{VectorType::i8, true}));
  EXPECT_EQ(sets[1].hash, "another");
}

TEST_F(Vectors, SetsWithVectorsDoNotChange) {
  store_.register_set(page_set());
  VectorSet other = page_set({VectorType::f16});
  store_.register_set(other);  // no vectors yet
  EXPECT_EQ(store_.vector_sets()[0].format.type, VectorType::f16);
  const auto id = put("a.pdf", 1, 2);
  store_.put_vectors("page", std::vector{page_vectors(id, 0, 2, 1)});
  store_.register_set(other);
  const auto refused = [&](auto edit) {
    VectorSet set = other;
    edit(set);
    return error_of(ErrorCode::store, [&] { store_.register_set(set); });
  };
  EXPECT_TRUE(has(refused([](VectorSet& set) { set.format = {}; }), "float32"));
  EXPECT_TRUE(has(refused([](VectorSet& set) { set.hash = "h9"; }), "h9"));
  EXPECT_TRUE(has(refused([](VectorSet& set) { set.input = "72 dpi"; }), "72 dpi"));
  refused([](VectorSet& set) { set.pool_factor = 3; });
  refused([](VectorSet& set) { set.many_vectors = true; });
}

TEST_F(Vectors, SetsOfImpossibleNamesAreRefused) {
  for (const char* name : {"", "../up", "A", "-x", "a/b"}) {
    VectorSet set = page_set();
    set.name = name;
    error_of(ErrorCode::internal, [&] { store_.register_set(set); });
  }
}

TEST_F(Vectors, SetsAreRemovedWithAllTheyHold) {
  const auto document = sample_document("a.pdf", 1);
  const auto id = put_with_vectors(store_, document);
  store_.put_page_graph(id, "late", {{}, {{1}, {0}}});
  store_.remove_set("late");
  store_.remove_set("never");
  store_.compact();
  ASSERT_EQ(store_.vector_sets().size(), 1U);
  EXPECT_TRUE(store_.vectors("late").empty());
  EXPECT_FALSE(store_.page_graph(id, "late"));
  EXPECT_TRUE(std::filesystem::is_empty(dir_.file("s/vectors/late")));
  EXPECT_EQ(difference(store_, document), "");
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(Vectors, OfPagesStayWhenOnlyTheTextIsReadAnew) {
  auto document = sample_document("a.pdf", 1);
  const auto old_id = put_with_vectors(store_, document);
  const StoredGraph graph{{score::GraphSimilarity::max_sim, 3, 0.5, 2}, {{1}, {0}}};
  store_.put_page_graph(old_id, "late", graph);
  store_.put_page_graph(old_id, "text", graph);
  document.row.settings = "other settings";
  const auto id = store_.put(document);
  EXPECT_NE(id, old_id);
  EXPECT_EQ(store_.missing_vectors("late"), Missing());
  EXPECT_EQ(store_.missing_vectors("text"), (Missing{{id, {{0, 4}}}}));
  ASSERT_TRUE(store_.page_graph(id, "late"));
  EXPECT_EQ(store_.page_graph(id, "late")->neighbours, graph.neighbours);
  EXPECT_FALSE(store_.page_graph(id, "text"));
  EXPECT_EQ(difference(store_, document), "");
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(Vectors, GoWhenTheContentChanges) {
  auto document = sample_document("a.pdf", 1);
  const auto old_id = put_with_vectors(store_, document);
  store_.put_page_graph(old_id, "late", {{}, {{1}, {0}}});
  document.row.hash = "other content";
  auto id = store_.put(document);
  EXPECT_EQ(store_.missing_vectors("late"), (Missing{{id, {{0, 2}}}}));
  EXPECT_FALSE(store_.page_graph(id, "late"));
  store_.put_vectors("late", std::vector{late_vectors(document, id, 0, 2)});
  auto longer = sample_document("a.pdf", 1, {.pages = 3});
  longer.row.hash = document.row.hash;
  id = store_.put(longer);
  EXPECT_EQ(store_.missing_vectors("late"), (Missing{{id, {{0, 3}}}}));
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(Vectors, UnitsWithoutContentAreNotMissing) {
  store_.register_set(text_set());
  NewDocument document = sample_document("a.pdf", 1, {.pages = 1});
  document.chunks.clear();
  document.fields.clear();
  store_.put(document);
  EXPECT_EQ(store_.missing_vectors("text"), Missing());
}

TEST_F(Vectors, GraphsComeBackAndGoWithTheirVectors) {
  const auto document = sample_document("a.pdf", 1, {.pages = 5});
  const auto id = put_with_vectors(store_, document);
  EXPECT_FALSE(store_.page_graph(id, "late"));
  EXPECT_FALSE(store_.page_graph(id, "nowhere"));
  const StoredGraph graph{{score::GraphSimilarity::max_sim, 3, 0.5, 2},
                          {{1, 4}, {0}, {}, {4}, {0, 3}}};
  store_.put_page_graph(id, "late", graph);
  store_.put_page_graph(id, "late", graph);
  EXPECT_EQ(store_.page_graph(id, "late")->neighbours, graph.neighbours);
  EXPECT_EQ(store_.page_graph(id, "late")->options, graph.options);
  store_.put_vectors("text", std::vector{text_vectors(document, id)});
  EXPECT_TRUE(store_.page_graph(id, "late"));
  store_.put_vectors("late", std::vector{late_vectors(document, id, 4, 1)});
  EXPECT_FALSE(store_.page_graph(id, "late"));
  for (const score::PageGraph& bad :
       {score::PageGraph{{1}}, {{5}, {}, {}, {}, {}}, {{2, 1}, {}, {}, {}, {}}}) {
    error_of(ErrorCode::internal, [&] { store_.put_page_graph(id, "late", {{}, bad}); });
  }
}

TEST_F(Vectors, InDamagedFilesAreNamedAndMadeAnewOnceTheFileIsGone) {
  const auto document = sample_document("a.pdf", 1);
  const auto id = put_with_vectors(store_, document);
  const std::string file = damage("text");
  {
    const Store store(dir_.file("s"), Mode::read);
    ASSERT_EQ(store.verify().size(), 1U);
    EXPECT_TRUE(has(store.verify()[0], "a.pdf")) << store.verify()[0];
    EXPECT_TRUE(has(store.verify()[0], "delete this file")) << store.verify()[0];
  }
  std::filesystem::remove(file);
  Store reader(dir_.file("s"), Mode::read);
  EXPECT_EQ(reader.documents().size(), 1U);
  EXPECT_TRUE(has(error_of(ErrorCode::store, [&] { reader.vectors("text"); }), "a.pdf"));
  EXPECT_EQ(reader.verify().size(), 1U);
  EXPECT_EQ(reader.missing_vectors("text"), (Missing{{id, {{0, 4}}}}));
}

TEST_F(Vectors, AreWrittenAgainOverAFileThatIsGone) {
  const auto document = sample_document("a.pdf", 1);
  const TempDir other;
  std::filesystem::create_directory(other.file("s"));
  {
    Store store(other.file("s"), Mode::write);
    put_with_vectors(store, document);
  }
  std::filesystem::remove_all(other.file("s/vectors/text"));
  Store store(other.file("s"), Mode::write);
  const auto missing = store.missing_vectors("text");
  ASSERT_EQ(missing.size(), 1U);
  store.put_vectors("text", std::vector{text_vectors(document, missing.begin()->first)});
  store.compact();
  EXPECT_EQ(store.verify(), Lines());
  EXPECT_EQ(difference(store, document), "");
  EXPECT_EQ(store.missing_vectors("text"), Missing());
}

TEST_F(Vectors, WhoseRowsAreDamagedAreNamed) {
  const auto document = sample_document("a.pdf", 1, {.pages = 4});
  const auto id = put_with_vectors(store_, document);
  store_.put_page_graph(id, "late", {{}, {{1}, {0}, {}, {}}});
  const auto spoiled = [&](const std::string& sql) {
    change(dir_, sql);
    const auto problems = store_.verify();
    put_with_vectors(store_, sample_document("a.pdf", 2, {.pages = 4}));  // another content
    EXPECT_EQ(store_.verify(), Lines()) << sql;
    const auto again = put_with_vectors(store_, document);
    store_.put_page_graph(again, "late", {{}, {{1}, {0}, {}, {}}});
    return problems.size() == 1 ? problems[0] : std::to_string(problems.size()) + " lines";
  };
  const std::string late = " WHERE vector_set = (SELECT id FROM vector_sets WHERE name = 'late')";
  for (const std::string& sql :
       {"UPDATE vectors SET rows_of_unit = x'05'" + late + " AND first_unit = 0",
        "UPDATE vectors SET rows_of_unit = x'ff'" + late + " AND first_unit = 0",
        "UPDATE vectors SET row_count = 1000, units = 1000" + late + " AND first_unit = 0",
        "UPDATE vectors SET first_row = -1" + late + " AND first_unit = 0",
        "UPDATE vectors SET first_unit = 3" + late + " AND first_unit = 2",
        "UPDATE vectors SET first_unit = 1" + late + " AND first_unit = 2",
        "UPDATE page_graphs SET graph = x'0101'" + late,
        "UPDATE page_graphs SET graph = x'02000000'" + late,
        "UPDATE page_graphs SET similarity = 7" + late}) {
    const std::string problem = spoiled(sql);
    EXPECT_TRUE(has(problem, "a.pdf")) << sql << ": " << problem;
    EXPECT_TRUE(has(problem, "\"late\"")) << sql << ": " << problem;
  }
}

// Vectors of pages are kept over a new reading of the text, but not damage that nothing overlaps.
TEST_F(Vectors, OutsideTheirDocumentGoWhenItIsIndexedAgain) {
  const auto document = sample_document("a.pdf", 1, {.pages = 4});
  put_with_vectors(store_, document);
  change(dir_, "UPDATE vectors SET first_unit = 30 WHERE first_unit = 2");
  EXPECT_EQ(store_.missing_vectors("late").begin()->second, (std::vector<UnitRange>{{2, 2}}));
  const auto id = store_.put(document);
  EXPECT_EQ(store_.missing_vectors("late"), (Missing{{id, {{2, 2}}}}));
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(Vectors, OfASetWithAnUnknownFormatAreRefused) {
  put_with_vectors(store_, sample_document("a.pdf", 1));
  change(dir_, "UPDATE vector_sets SET format = 'float8' WHERE name = 'late'");
  EXPECT_TRUE(has(error_of(ErrorCode::store, [&] { store_.vectors("late"); }), "float8"));
  EXPECT_EQ(store_.verify().size(), 1U);
}

}  // namespace
}  // namespace fineprint::store
