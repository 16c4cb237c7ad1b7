// Vectors of the elements of maps: stored, missing, gone with their map, found when damaged.
#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "sample.h"
#include "store/sqlite.h"
#include "support/has.h"
#include "support/temp_dir.h"
#include "tampering.h"

namespace fineprint::store {
namespace {

using fineprint::testing::has;
using fineprint::testing::TempDir;
using testing::change;
using testing::error_of;
using testing::sample_document;
using Missing = std::map<std::int64_t, std::vector<UnitRange>>;
using ElementPages = std::map<std::int64_t, std::vector<std::int32_t>>;
using Lines = std::vector<std::string>;

VectorSet elements_of_late() {
  VectorSet set = testing::late_set();
  set.name = set.kind = elements_set("late");
  set.unit = VectorUnit::element;
  set.format = {};
  return set;
}

// One row each, all of `value`.
NewVectors vectors_of(std::int64_t document, std::uint32_t first, std::uint32_t elements,
                      float value = 1) {
  const std::size_t dim = elements_of_late().dim;
  return {
      document, first, elements, {}, {elements, dim, std::vector<float>(elements * dim, value)}};
}

class ElementVectors : public ::testing::Test {
 protected:
  ElementVectors() {
    store_.register_set(elements_of_late());
    a_ = store_.put(sample_document("a.pdf", 1, {.pages = 3}));
    b_ = store_.put(sample_document("b.pdf", 2, {.pages = 2}));
  }

  void put(const NewVectors& part) { store_.put_vectors("late-elements", std::vector{part}); }
  std::size_t stored_units() const {
    std::size_t units = 0;
    for (const VectorBlock& block : store_.vectors("late-elements")) units += block.units;
    return units;
  }

  const TempDir dir_;
  Store store_{dir_.file("s"), Mode::write};
  const StoredMap map_{"maker", R"({"three":1})", {1, 1, 3}};
  std::int64_t a_ = 0, b_ = 0;
};

TEST_F(ElementVectors, AreMissingOfElementsThatMapsName) {
  EXPECT_EQ(store_.missing_vectors("late-elements"), Missing());
  store_.put_document_map(a_, map_);
  store_.put_document_map(b_, {"maker", "{}", {}});
  EXPECT_EQ(store_.missing_vectors("late-elements"), (Missing{{a_, {{0, 3}}}}));
  put(vectors_of(a_, 1, 1));
  EXPECT_EQ(store_.missing_vectors("late-elements"), (Missing{{a_, {{0, 1}, {2, 1}}}}));
  put(vectors_of(a_, 0, 3));
  EXPECT_EQ(store_.missing_vectors("late-elements"), Missing());
  EXPECT_EQ(stored_units(), 3U);
  EXPECT_EQ(store_.element_pages(), (ElementPages{{a_, {1, 1, 3}}, {b_, {}}}));
  EXPECT_EQ(store_.document_map(a_)->element_pages, map_.element_pages);
  EXPECT_EQ(store_.vector_sets().at(0).unit, VectorUnit::element);
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(ElementVectors, OfMoreElementsThanThereAreAreRefused) {
  error_of(ErrorCode::internal, [&] { put(vectors_of(a_, 0, 1)); });
  store_.put_document_map(a_, map_);
  EXPECT_TRUE(
      has(error_of(ErrorCode::internal, [&] { put(vectors_of(a_, 2, 2)); }), "fewer units"));
  for (const std::int32_t page : {0, 4}) {
    const std::string said = error_of(
        ErrorCode::internal, [&] { store_.put_document_map(a_, {"maker", "{}", {1, page}}); });
    EXPECT_TRUE(has(said, "a.pdf")) << said;
  }
  EXPECT_EQ(store_.document_map(a_)->element_pages, map_.element_pages);  // as it was
}

TEST_F(ElementVectors, GoWithTheMapThatTheyWereMadeOf) {
  store_.put_document_map(a_, map_);
  store_.put_document_map(b_, {"maker", "{}", {2}});
  put(vectors_of(a_, 0, 3));
  put(vectors_of(b_, 0, 1));
  store_.put_document_map(a_, {"another maker", map_.json, map_.element_pages});
  EXPECT_EQ(stored_units(), 4U);  // the map is the same
  store_.put_document_map(a_, {"another maker", R"({"other":1})", {1, 2}});
  EXPECT_EQ(stored_units(), 1U);
  EXPECT_EQ(store_.missing_vectors("late-elements"), (Missing{{a_, {{0, 2}}}}));
  store_.compact();
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(ElementVectors, GoWithTheDocumentAndWhenItIsPutAgain) {
  store_.put_document_map(a_, map_);
  store_.put_document_map(b_, {"maker", "{}", {2}});
  put(vectors_of(a_, 0, 3));
  put(vectors_of(b_, 0, 1));
  const auto again = store_.put(sample_document("a.pdf", 1, {.pages = 3}));  // its map goes too
  EXPECT_EQ(stored_units(), 1U);
  EXPECT_EQ(store_.missing_vectors("late-elements"), Missing());
  store_.put_document_map(again, map_);
  put(vectors_of(again, 0, 3));
  store_.remove("a.pdf");
  EXPECT_EQ(stored_units(), 1U);
  EXPECT_EQ(store_.verify(), Lines());
}

TEST_F(ElementVectors, ThatDoNotFitTheirMapAreToldAndDropped) {
  store_.put_document_map(a_, map_);
  put(vectors_of(a_, 0, 3));
  change(dir_,
         "UPDATE document_maps SET element_count = 2, element_pages = x'0202';"
         "UPDATE document_maps SET sum = row_sum(document, maker, map, element_count, "
         "element_pages)");
  const Lines problems = store_.verify();
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_TRUE(has(problems[0], "a.pdf: its \"late-elements\" vectors from element 0 on"))
      << problems[0];
  EXPECT_TRUE(store_.repair().empty());
  EXPECT_EQ(store_.verify(), Lines());
  EXPECT_EQ(store_.missing_vectors("late-elements"), (Missing{{a_, {{0, 2}}}}));
}

TEST_F(ElementVectors, OfADamagedMapAreDroppedWithIt) {
  store_.put_document_map(a_, map_);
  store_.put_document_map(b_, {"maker", "{}", {2}});
  put(vectors_of(a_, 0, 3));
  put(vectors_of(b_, 0, 1));
  change(dir_, "UPDATE document_maps SET element_pages = x'0404' WHERE document = 1");
  EXPECT_TRUE(has(store_.verify().at(0), "a.pdf: its map is damaged"));
  const std::string said = error_of(ErrorCode::store, [&] { store_.element_pages(); });
  EXPECT_TRUE(has(said, "a.pdf")) << said;
  EXPECT_TRUE(store_.repair().empty());
  EXPECT_EQ(store_.verify(), Lines());
  EXPECT_EQ(stored_units(), 1U);
  EXPECT_EQ(store_.element_pages(), (ElementPages{{b_, {2}}}));
}

}  // namespace
}  // namespace fineprint::store
