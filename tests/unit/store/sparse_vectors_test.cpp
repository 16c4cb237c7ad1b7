// Sparse vector sets: kept as posting lists, whole documents at a time.
#include <cmath>
#include <filesystem>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "sample.h"
#include "support/has.h"
#include "support/temp_dir.h"
#include "tampering.h"

namespace fineprint::store {
namespace {

using fineprint::testing::has;
using fineprint::testing::TempDir;
using testing::error_of;
using testing::sample_document;

constexpr std::size_t kTokens = 500;
using Listed = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

VectorSet sparse_set(const std::string& name = "sparse") {
  VectorSet set;
  set.name = name;
  set.kind = "sparse";
  set.model = "splade";
  set.hash = "h9";
  set.many_vectors = true;
  set.dim = kTokens;
  return set;
}

// Two units: {3: 0.5, 40: 1.25} and {7: 2}.
NewVectors two_units(std::int64_t document) {
  return {document, 0, 2, {2, 1}, {3, 2, {3, 0.5F, 40, 1.25F, 7, 2}}};
}

// Vectors for every chunk of a document of `units` chunks, of random tokens and weights.
NewVectors random_units(std::int64_t document, std::uint32_t units, std::mt19937& random) {
  NewVectors part{document, 0, units, {}, {0, kSparseColumns, {}}};
  for (std::uint32_t unit = 0; unit < units; ++unit) {
    std::map<int, float> weights;
    for (int i = 0; i < 20; ++i) {
      weights[static_cast<int>(random() % kTokens)] = static_cast<float>(random() % 3000) / 1000;
    }
    for (const auto& [token, weight] : weights) {
      part.rows.values.push_back(static_cast<float>(token));
      part.rows.values.push_back(weight);
    }
    part.rows.rows += weights.size();
    part.rows_of_unit.push_back(static_cast<std::uint32_t>(weights.size()));
  }
  return part;
}

// By unit and token.
using Weights = std::map<std::uint32_t, std::map<int, float>>;

Weights weights_of(const VectorBlock& block) {
  Weights out;
  for (std::uint32_t unit = 0; unit < block.units; ++unit) {
    for (std::uint32_t row = block.first_row[unit]; row < block.first_row[unit + 1]; ++row) {
      float entry[kSparseColumns];
      score::decode_row(block.rows, row, entry);
      out[block.first_unit + unit][static_cast<int>(entry[0])] = entry[1];
    }
  }
  return out;
}

Weights weights_of(const NewVectors& part) {
  Weights out;
  std::size_t row = 0;
  for (std::uint32_t unit = 0; unit < part.units; ++unit) {
    for (std::uint32_t i = 0; i < part.rows_of_unit[unit]; ++i, ++row) {
      const auto entry = part.rows.row(row);
      if (std::lround(entry[1] * kWeightSteps) > 0)
        out[unit][static_cast<int>(entry[0])] = entry[1];
    }
  }
  return out;
}

class SparseVectors : public ::testing::Test {
 protected:
  SparseVectors() { store_.register_set(sparse_set()); }
  // A sample document has two chunks a page.
  std::int64_t put(const std::string& doc, int pages = 1) {
    return store_.put(sample_document(doc, 1, {.pages = pages}));
  }
  // Units and steps.
  Listed list(std::uint32_t token) const {
    Listed all;
    std::vector<score::Posting> some;
    for (const auto& segment : store_.postings("sparse")) {
      segment->read(sparse_term(token), &some);
      for (const auto& [unit, steps] : some) all.emplace_back(unit, steps);
    }
    return all;
  }

  TempDir dir_;
  Store store_{dir_.file("s"), Mode::write};
};

TEST_F(SparseVectors, AreListsOfTokensByUnit) {
  const std::int64_t id = put("a.pdf");
  store_.put_vectors("sparse", std::vector{two_units(id)});
  EXPECT_EQ(list(3), (Listed{{0, 32}}));
  EXPECT_EQ(list(40), (Listed{{0, 80}}));
  EXPECT_EQ(list(7), (Listed{{1, 128}}));
  EXPECT_TRUE(list(8).empty());
  EXPECT_TRUE(store_.missing_vectors("sparse").empty());
  EXPECT_EQ(store_.vector_counts().at(id).at("sparse"), 2);
  EXPECT_TRUE(store_.verify().empty());
}

// What is read back differs from what was put by half a step at most, folded or not.
TEST_F(SparseVectors, AreReadBackAsTheyWere) {
  std::mt19937 random(20261128);
  std::map<std::int64_t, Weights> put_in;
  for (int i = 0; i < 30; ++i) {
    const std::int64_t id = put("d" + std::to_string(i) + ".pdf", 1 + i % 3);
    const NewVectors part = random_units(id, static_cast<std::uint32_t>(2 * (1 + i % 3)), random);
    store_.put_vectors("sparse", std::vector{part});
    put_in[id] = weights_of(part);
    if (i % 7 == 6) store_.compact();
  }
  const Store reader(dir_.file("s"), Mode::read);
  const std::vector<VectorBlock> blocks = reader.vectors("sparse");
  ASSERT_EQ(blocks.size(), put_in.size());
  for (const VectorBlock& block : blocks) {
    const Weights ours = weights_of(block), theirs = put_in.at(block.document);
    ASSERT_EQ(ours.size(), theirs.size());
    for (const auto& [unit, tokens] : theirs) {
      ASSERT_EQ(ours.at(unit).size(), tokens.size());
      for (const auto& [token, weight] : tokens) {
        EXPECT_NEAR(ours.at(unit).at(token), weight, 0.5F / kWeightSteps);
      }
    }
  }
}

TEST_F(SparseVectors, ADocumentHasAllOrNone) {
  const std::int64_t first = put("a.pdf"), second = put("b.pdf");
  NewVectors part = two_units(second);
  part.units = 1;
  part.rows_of_unit = {2};
  part.rows = {2, 2, {3, 0.5F, 40, 1.25F}};
  store_.put_vectors("sparse", std::vector{two_units(first), part});
  const auto missing = store_.missing_vectors("sparse");
  ASSERT_EQ(missing.size(), 1U);
  EXPECT_EQ(missing.at(second), (std::vector<UnitRange>{{0, 2}}));
  store_.put_vectors("sparse", std::vector{two_units(second)});
  EXPECT_TRUE(store_.missing_vectors("sparse").empty());
}

TEST_F(SparseVectors, GoWithTheirDocument) {
  const std::int64_t id = put("a.pdf");
  store_.put_vectors("sparse", std::vector{two_units(id)});
  store_.compact();
  const std::int64_t again = store_.put(sample_document("a.pdf", 2, {.pages = 1}));
  EXPECT_TRUE(store_.missing_vectors("sparse").contains(again));
  store_.put_vectors("sparse", std::vector{two_units(again)});
  store_.remove("a.pdf");
  store_.compact();
  EXPECT_TRUE(store_.vectors("sparse").empty());
  EXPECT_TRUE(store_.verify().empty());
}

TEST_F(SparseVectors, TwoSetsDoNotMix) {
  const std::int64_t id = put("a.pdf");
  store_.register_set(sparse_set("sparse-2"));
  store_.put_vectors("sparse", std::vector{two_units(id)});
  EXPECT_TRUE(store_.missing_vectors("sparse-2").contains(id));
  store_.put_vectors("sparse-2", std::vector{two_units(id)});
  store_.compact();
  store_.remove_set("sparse");
  store_.compact();
  EXPECT_TRUE(store_.postings("sparse").empty());
  EXPECT_EQ(store_.vectors("sparse-2").size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(dir_.file("s/postings/sparse")) &&
               !std::filesystem::is_empty(dir_.file("s/postings/sparse")));
  EXPECT_TRUE(store_.verify().empty());
}

// A document whose vectors are still to be made is not damaged.
TEST_F(SparseVectors, RepairLeavesDocumentsThatWait) {
  put("a.pdf");
  const std::int64_t second = put("b.pdf");
  store_.put_vectors("sparse", std::vector{two_units(second)});
  EXPECT_TRUE(store_.repair().empty());
  EXPECT_TRUE(store_.documents()[0].hash == sample_document("a.pdf", 1, {.pages = 1}).row.hash);
}

TEST_F(SparseVectors, ASetOfAnotherModelIsRefused) {
  const std::int64_t id = put("a.pdf");
  store_.put_vectors("sparse", std::vector{two_units(id)});
  VectorSet other = sparse_set();
  other.hash = "another";
  EXPECT_TRUE(
      has(error_of(ErrorCode::store, [&] { store_.register_set(other); }), "--drop-set sparse"));
}

TEST_F(SparseVectors, RowsThatAreNoWeightsAreRefused) {
  const std::int64_t id = put("a.pdf");
  const auto refused = [&](std::vector<float> values, ErrorCode code = ErrorCode::internal) {
    NewVectors part = two_units(id);
    part.rows.values = std::move(values);
    return error_of(code, [&] { store_.put_vectors("sparse", std::vector{part}); });
  };
  EXPECT_TRUE(has(refused({40, 1, 3, 1, 7, 2}), "do not ascend"));
  EXPECT_TRUE(has(refused({3, 1, 3, 1, 7, 2}), "do not ascend"));
  EXPECT_TRUE(has(refused({3, 1, 4.5F, 1, 7, 2}), "not of the vocabulary"));
  EXPECT_TRUE(has(refused({3, 1, 500, 1, 7, 2}), "not of the vocabulary"));
  EXPECT_TRUE(has(refused({3, 1, 4, -1, 7, 2}), "negative"));
  EXPECT_TRUE(has(refused({3, 1, 4, NAN, 7, 2}, ErrorCode::model), "nan"));
  EXPECT_TRUE(store_.missing_vectors("sparse").contains(id));
}

}  // namespace
}  // namespace fineprint::store
