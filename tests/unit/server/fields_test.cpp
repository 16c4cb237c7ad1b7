// Requests in JSON.
#include "server/fields.h"

#include <gtest/gtest.h>

#include "server/refusal.h"

namespace fineprint::server {
namespace {

TEST(Fields, GiveWhatIsThere) {
  Fields fields(R"({"a":"x","b":[1],"c":["y","z"],"d":3,"e":3.0,"f":0.5,"g":true,"h":null})", "it");
  EXPECT_EQ(fields.text("a"), "x");
  EXPECT_EQ(fields.texts("a"), std::vector<std::string>{"x"});
  EXPECT_EQ(fields.texts("c"), (std::vector<std::string>{"y", "z"}));
  EXPECT_EQ(fields.whole("d", 1, 3), 3);
  EXPECT_EQ(fields.whole("e", 1, 3), 3);
  EXPECT_EQ(fields.number("f", 0, 1), 0.5);
  EXPECT_TRUE(fields.flag("g", false));
  EXPECT_EQ(fields.text_or("h", "none"), "none");
  EXPECT_EQ(fields.whole("none", 0, 1), std::nullopt);
  EXPECT_THROW(fields.end(), Refusal);  // nobody took b
  fields.value("b");
  EXPECT_NO_THROW(fields.end());
}

TEST(Fields, RefuseWhatIsOfAnotherKind) {
  Fields fields(R"({"a":7,"b":1.5,"c":1e300,"d":-1e300,"e":[1],"f":{"g":1},"h":"1"})", "it");
  EXPECT_THROW(fields.text("a"), Refusal);
  EXPECT_THROW(fields.text("none"), Refusal);
  for (const char* name : {"b", "c", "d", "e", "h"}) {
    EXPECT_THROW(fields.whole(name, -5, 5), Refusal) << name;
  }
  EXPECT_THROW(fields.whole("a", 0, 6), Refusal);
  EXPECT_THROW(fields.number("c", 0, 1), Refusal);
  EXPECT_THROW(fields.number("h", 0, 1), Refusal);
  EXPECT_THROW(fields.texts("e"), Refusal);
  EXPECT_THROW(fields.texts("f"), Refusal);
  EXPECT_THROW(fields.flag("a", true), Refusal);
}

TEST(Fields, AreThoseOfAnObject) {
  for (const char* text : {"", "[]", "7", "{", "null"}) {
    EXPECT_THROW(Fields(text, "it"), Error) << text;
  }
}

}  // namespace
}  // namespace fineprint::server
