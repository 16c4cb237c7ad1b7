// Texts of strangers cannot leave their place in the page.
#include "report/html.h"

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::report {
namespace {

TEST(Html, EscapesWhatIsMarkup) {
  EXPECT_EQ(escape_html("<b title=\"x\">Tom & 'Jerry'</b>"),
            "&lt;b title=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/b&gt;");
  EXPECT_EQ(escape_html("plain \xC3\xA9"), "plain \xC3\xA9");
  EXPECT_EQ(escape_html("bad \xFF byte"), "bad \xEF\xBF\xBD byte");
}

TEST(Html, JsonCannotEndItsElement) {
  const Json hostile = {
      {"</script><script>alert(1)</script>", "<!--<script>&\xE2\x80\xA8\xE2\x80\xA9"}};
  const std::string text = json_for_html(hostile);
  EXPECT_EQ(text.find_first_of("<>&"), std::string::npos) << text;
  EXPECT_EQ(text.find("\xE2\x80"), std::string::npos) << text;
  EXPECT_EQ(Json::parse(text), hostile);
}

TEST(Html, JsonWithBytesThatAreNoTextIsStillJson) {
  EXPECT_EQ(Json::parse(json_for_html("a\xFFz")), "a\xEF\xBF\xBDz");
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
