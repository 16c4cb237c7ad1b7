// Texts of strangers cannot leave their place in the page.
#include "report/html.h"

#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

#include "fineprint/core/error.h"

namespace fineprint::report {
namespace {

TEST(Html, EscapesWhatIsMarkup) {
  EXPECT_EQ(escape_html("<b title=\"x\">Tom & 'Jerry'</b>"),
            "&lt;b title=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/b&gt;");
  EXPECT_EQ(escape_html("plain \xC3\xA9"), "plain \xC3\xA9");
  EXPECT_EQ(escape_html("bad \xFF byte"), "bad \xEF\xBF\xBD byte");
}

// What a page's script does to what is packed.
std::string unpacked(const std::string& base64) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint8_t> bytes;
  std::uint32_t group = 0;
  for (std::size_t i = 0; i < base64.size() && base64[i] != '='; ++i) {
    group = group << 6 | static_cast<std::uint32_t>(kDigits.find(base64[i]));
    if (i % 4 != 0) bytes.push_back(static_cast<std::uint8_t>(group >> (6 - 2 * (i % 4))));
  }
  std::vector<std::uint8_t> text(1 << 16);
  uLongf size = text.size();
  EXPECT_EQ(uncompress(text.data(), &size, bytes.data(), bytes.size()), Z_OK);
  return {text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size)};
}

TEST(Html, PackedJsonHasNoCharacterOfHtmlAndComesBack) {
  Json hostile = {{"</script><script>alert(1)</script>", "<!--<script>&\xE2\x80\xA8\xE2\x80\xA9"}};
  for (int i = 0; i < 40; ++i) {  // lengths of all remainders
    hostile["more"] = std::string(static_cast<std::size_t>(i), '<');
    const std::string text = packed_json(hostile);
    EXPECT_EQ(
        text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                               "+/="),
        std::string::npos);
    EXPECT_EQ(Json::parse(unpacked(text)), hostile);
  }
}

TEST(Html, PackedJsonIsTextWhateverItsBytesAre) {
  EXPECT_EQ(Json::parse(unpacked(packed_json("a\xFFz"))), "a\xEF\xBF\xBDz");
}

// The SHA-256 of nothing.
TEST(Html, HashesOfPoliciesAreInBase64) {
  EXPECT_EQ(policy_hash("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
}

TEST(Html, WhatIsFilledInIsNotLookedAt) {
  const Replacement values[] = {{"a", "{{b}}"}, {"b", "2"}};
  EXPECT_EQ(fill_in("<{{a}}|{{b}}|{{a}}>", values), "<{{b}}|2|{{b}}>");
  EXPECT_EQ(fill_in("none", values), "none");
  EXPECT_THROW(fill_in("{{c}}", values), Error);
}

}  // namespace
}  // namespace fineprint::report
