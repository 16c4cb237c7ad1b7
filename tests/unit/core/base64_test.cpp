// Base64 against the examples of its standard.
#include "fineprint/core/base64.h"

#include <string_view>

#include <gtest/gtest.h>

namespace fineprint {
namespace {

std::string base64(std::string_view bytes) {
  std::string out;
  append_base64({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, &out);
  return out;
}

// RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, KnowsAllDigitsAndAppends) {
  std::string out = "data:";
  const std::uint8_t bytes[] = {0xFB, 0xFF, 0xBF, 0x00};
  append_base64(bytes, &out);
  EXPECT_EQ(out, "data:+/+/AA==");
}

std::string decoded(std::string_view text) {
  const auto bytes = decode_base64(text);
  return bytes ? std::string(bytes->begin(), bytes->end()) : "nothing";
}

TEST(Base64, IsDecodedWithAndWithoutPadding) {
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(decoded("Zg=="), "f");
  EXPECT_EQ(decoded("Zg"), "f");
  EXPECT_EQ(decoded("Zm8="), "fo");
  EXPECT_EQ(decoded("Zm9vYmFy"), "foobar");
  const std::vector<std::uint8_t> bytes = {0xFB, 0xFF, 0xBF, 0x00};
  EXPECT_EQ(decode_base64("+/+/AA=="), bytes);
}

TEST(Base64, OtherTextsAreNotDecoded) {
  for (const char* text :
       {"Z", "Zm9vY", "Zm 9v", "Zm9v\n", "Zg==Zg==", "-_-_", "===", "\xC3\xA9"}) {
    EXPECT_FALSE(decode_base64(text)) << text;
  }
}

}  // namespace
}  // namespace fineprint
