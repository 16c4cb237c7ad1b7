#include "fineprint/simd/kernel_table.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace fineprint::simd {
namespace {

using enum InstructionSet;

class KernelTables : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has(avx2)) GTEST_SKIP() << "a machine with one set only has nothing to choose";
  }
  void TearDown() override { limit_to(""); }
};

constexpr int kPlain = 1, kWide = 2;

TEST_F(KernelTables, TheBestKernelThatMayBeUsedIsChosen) {
  const Kernels<int> table{"sums", "float32", {{portable, &kPlain}, {avx2, &kWide}}};
  EXPECT_EQ(table.best(), kWide);
  EXPECT_EQ(table.in_use(), avx2);
  ASSERT_TRUE(limit_to("portable"));
  EXPECT_EQ(table.best(), kPlain);
  EXPECT_EQ(table.in_use(), portable);
  EXPECT_EQ(table.available(), (std::vector{avx2, portable}));
  ASSERT_TRUE(limit_to(""));
  EXPECT_EQ(table.best(), kWide);
}

TEST_F(KernelTables, ATableThatIsMadeUnderALimitKeepsToIt) {
  ASSERT_TRUE(limit_to("portable"));
  const Kernels<int> table{"sums", "float32", {{avx2, &kWide}, {portable, &kPlain}}};
  EXPECT_EQ(table.best(), kPlain);
}

TEST_F(KernelTables, WhereNoKernelMayBeUsedThereIsNone) {
  const Kernels<int> table{"sums", "float32", {{avx2, &kWide}}};
  EXPECT_EQ(table.find(), &kWide);
  ASSERT_TRUE(limit_to("portable"));
  EXPECT_EQ(table.find(), nullptr);
  EXPECT_FALSE(table.in_use().has_value());
  EXPECT_EQ(best_in_use({&table}), "");
}

TEST_F(KernelTables, AnUnknownLimitChangesNothing) {
  ASSERT_TRUE(limit_to("portable"));
  EXPECT_FALSE(limit_to("abacus"));
  EXPECT_FALSE(may_use(avx2));
  EXPECT_TRUE(has(avx2));
}

TEST_F(KernelTables, NamesOfSeveralTablesAreThoseOfAllTheirSets) {
  const Kernels<int> one{"sums", "float32", {{portable, &kPlain}}};
  const Kernels<int> other{"products", "int8", {{avx2, &kWide}}};
  EXPECT_EQ(set_names({&one, &other}), (std::vector<std::string>{"avx2", "portable"}));
  EXPECT_EQ(best_in_use({&one, &other}), "avx2");
  EXPECT_EQ(best_in_use({&one}), "portable");
}

TEST(AllTables, ATableIsKnownWhileItLives) {
  const auto is_known = [](const KernelTable* table) {
    const std::vector<const KernelTable*> tables = all_tables();
    return std::ranges::find(tables, table) != tables.end();
  };
  const KernelTable* gone = nullptr;
  {
    const Kernels<int> table{"sums", "float32", {{portable, &kPlain}}};
    EXPECT_TRUE(is_known(&table));
    gone = &table;
  }
  EXPECT_FALSE(is_known(gone));
}

TEST(InstructionSets, NamesGoThereAndBack) {
  for (const InstructionSet set : {portable, avx2, avx512, avx512_vnni, avx512_bf16, amx_bf16}) {
    EXPECT_EQ(limit_to(name_of(set)), has(set)) << name_of(set);
  }
  limit_to("");
  EXPECT_TRUE(has(portable));
}

}  // namespace
}  // namespace fineprint::simd
