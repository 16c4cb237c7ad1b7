#include "fineprint/simd/kernel_table.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace fineprint::simd {
namespace {

using enum InstructionSet;

// A set that most machines have besides the portable one.
const InstructionSet kWideSet = reference_set();

class KernelTables : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!has(kWideSet)) GTEST_SKIP() << "a machine with one set only has nothing to choose";
  }
  void TearDown() override { limit_to(""); }
};

constexpr int kPlain = 1, kWide = 2;

TEST_F(KernelTables, TheBestKernelThatMayBeUsedIsChosen) {
  const Kernels<int> table{"sums", "float32", {{portable, &kPlain}, {kWideSet, &kWide}}};
  EXPECT_EQ(table.best(), kWide);
  EXPECT_EQ(table.in_use(), kWideSet);
  ASSERT_TRUE(limit_to("portable"));
  EXPECT_EQ(table.best(), kPlain);
  EXPECT_EQ(table.in_use(), portable);
  EXPECT_EQ(table.available(), (std::vector{kWideSet, portable}));
  ASSERT_TRUE(limit_to(""));
  EXPECT_EQ(table.best(), kWide);
}

TEST_F(KernelTables, ATableThatIsMadeUnderALimitKeepsToIt) {
  ASSERT_TRUE(limit_to("portable"));
  const Kernels<int> table{"sums", "float32", {{kWideSet, &kWide}, {portable, &kPlain}}};
  EXPECT_EQ(table.best(), kPlain);
}

TEST_F(KernelTables, WhereNoKernelMayBeUsedThereIsNone) {
  const Kernels<int> table{"sums", "float32", {{kWideSet, &kWide}}};
  EXPECT_EQ(table.find(), &kWide);
  ASSERT_TRUE(limit_to("portable"));
  EXPECT_EQ(table.find(), nullptr);
  EXPECT_FALSE(table.in_use().has_value());
  EXPECT_EQ(best_in_use({&table}), "");
}

TEST_F(KernelTables, AnUnknownLimitChangesNothing) {
  ASSERT_TRUE(limit_to("portable"));
  EXPECT_FALSE(limit_to("abacus"));
  EXPECT_FALSE(may_use(kWideSet));
  EXPECT_TRUE(has(kWideSet));
}

TEST_F(KernelTables, NamesOfSeveralTablesAreThoseOfAllTheirSets) {
  const Kernels<int> one{"sums", "float32", {{portable, &kPlain}}};
  const Kernels<int> other{"products", "int8", {{kWideSet, &kWide}}};
  EXPECT_EQ(set_names({&one, &other}),
            (std::vector{std::string(name_of(kWideSet)), std::string("portable")}));
  EXPECT_EQ(best_in_use({&one, &other}), name_of(kWideSet));
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
  for (const InstructionSet set : {portable, avx2, avx512, avx512_vnni, avx512_bf16, amx_bf16, neon,
                                   neon_dot, neon_i8mm, neon_bf16}) {
    EXPECT_EQ(limit_to(name_of(set)), has(set)) << name_of(set);
  }
  limit_to("");
  EXPECT_TRUE(has(portable));
}

// A limit compares sets in their order, so those of another kind of processor must not be had.
TEST(InstructionSets, AreThoseOfOneKindOfProcessor) {
  const bool has_x86 = has(avx2) || has(avx512) || has(amx_bf16);
  const bool has_arm = has(neon) || has(neon_dot) || has(neon_i8mm) || has(neon_bf16);
  EXPECT_FALSE(has_x86 && has_arm);
  EXPECT_FALSE(has_arm && !has(neon)) << "every 64-bit ARM processor has neon";
}

}  // namespace
}  // namespace fineprint::simd
