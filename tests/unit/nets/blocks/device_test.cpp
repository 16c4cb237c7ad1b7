// Tests of the words for devices and number formats.
#include "nets/weights/device.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::nets {
namespace {

TEST(Device, FormatsOfTheCpuAreThoseOfItsMatrices) {
  EXPECT_FALSE(resolve_device({"cpu", "auto", 1}).matrices.has_value());
  EXPECT_EQ(resolve_device({"cpu", "float32", 1}).matrices, MatrixFormat::float32);
  EXPECT_EQ(resolve_device({"cpu", "bfloat16", 1}).matrices, MatrixFormat::bfloat16);
  EXPECT_EQ(resolve_device({"cpu", "float16", 1}).matrices, MatrixFormat::float16);
  for (const char* name : {"auto", "float32", "bfloat16", "float16", "int8"}) {
    EXPECT_EQ(resolve_device({"cpu", name, 1}).dtype, at::kFloat);
  }
  EXPECT_EQ(resolve_device({"cpu", "int8", 3}).matrices, MatrixFormat::int8);
  EXPECT_EQ(resolve_device({"cpu", "int8", 3}).threads, 3);
}

TEST(Device, ActivationsAreRoundedForWhoAsksForBfloat16) {
  for (const char* name : {"auto", "float32", "float16", "int8"}) {
    EXPECT_EQ(resolve_device({"cpu", name, 1}).rounding, Rounding::none) << name;
  }
  const bool able = !rounded_kernel().empty();
  const Rounding rounding = resolve_device({"cpu", "bfloat16", 1}).rounding;
  EXPECT_EQ(rounding != Rounding::none, able);
  EXPECT_EQ(rounding == Rounding::bfloat16_and_results, able && has_tiles());
  EXPECT_EQ(describe_devices().find("bfloat16 " + rounded_kernel()) != std::string::npos, able);
}

TEST(Device, UnknownWordsAreRefused) {
  EXPECT_THROW(resolve_device({"cpu", "int4", 1}), Error);
  EXPECT_THROW(resolve_device({"cpu", "", 1}), Error);
  EXPECT_THROW(resolve_device({"tpu", "auto", 1}), Error);
}

TEST(Device, DescriptionNamesTheProducts) {
  EXPECT_NE(describe_devices().find("; products: "), std::string::npos);
}

}  // namespace
}  // namespace fineprint::nets
