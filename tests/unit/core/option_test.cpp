// Options: what their records say, and how structs are read from texts.
#include "fineprint/core/option.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint {
namespace {

enum class Shape { round, square };

struct Part {
  int depth = 2;
};

struct Everything {
  bool loud = false;
  int count = 3;
  long most = 1L << 40;
  double share = 0.5;
  std::string name = "a";
  std::vector<std::string> names = {"x", "y"};
  std::optional<int> maybe;
  Shape shape = Shape::square;
  std::optional<Shape> other;
  bool on = true;
  std::size_t room = std::size_t{4} << 30;
  std::chrono::milliseconds pause{1500};
  Part part;
};

const OptionTable<Everything>& table() {
  static const OptionNames<Shape> kShapes = {{"round", Shape::round}, {"square", Shape::square}};
  static const OptionTable<Everything> all =
      OptionTable<Everything>()
          .add("loud", &Everything::loud, {.help = "?"})
          .add("count", &Everything::count, {.help = "?", .value = "N", .bounds = {.least = 1}})
          .add("most", &Everything::most, {.help = "?", .value = "N", .unset = true})
          .add("share", &Everything::share,
               {.help = "?", .value = "P", .bounds = {.most = 1, .above = 0}})
          .add("name", &Everything::name, {.help = "?", .value = "TEXT"})
          .add("names", &Everything::names, {.help = "?", .value = "TEXT"})
          .add("maybe", &Everything::maybe, {.help = "?", .value = "N"})
          .add("shape", &Everything::shape, kShapes, {.help = "?", .value = "SHAPE"})
          .add("other", &Everything::other, kShapes, {.help = "?", .value = "SHAPE"})
          .add("on", &Everything::on, kOnOff, {.help = "?", .value = "SWITCH"})
          .add_bytes("room", &Everything::room, {.help = "?", .value = "SIZE"})
          .add("pause", &Everything::pause, {.help = "?", .value = "SECONDS"})
          .add_part(&Everything::part,
                    OptionTable<Part>().add("depth", &Part::depth, {.help = "?", .value = "N"}));
  return all;
}

const Option& option(const std::string& name) {
  for (const Option& one : table().options()) {
    if (one.name == name) return one;
  }
  throw Error(ErrorCode::internal, name);
}

struct DeepAndShallow {
  Part deep = {.depth = 9};
  Part shallow;
};

TEST(OptionTable, TakesDefaultsOfAPartFromTheStructThatHasIt) {
  const auto depth = [](std::string_view name) {
    return OptionTable<Part>().add(name, &Part::depth, {.help = "?", .value = "N"});
  };
  const auto table = OptionTable<DeepAndShallow>()
                         .add_part(&DeepAndShallow::deep, depth("deep"))
                         .add_part(&DeepAndShallow::shallow, depth("shallow"));
  EXPECT_EQ(table.options()[0].initial, std::vector<std::string>{"9"});
  EXPECT_EQ(table.options()[1].initial, std::vector<std::string>{"2"});
}

TEST(OptionTable, TakesDefaultsFromTheStruct) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> kInitial = {
      {"loud", {"false"}}, {"count", {"3"}},      {"most", {""}},     {"share", {"0.5"}},
      {"name", {"a"}},     {"names", {"x", "y"}}, {"maybe", {""}},    {"shape", {"square"}},
      {"other", {""}},     {"on", {"on"}},        {"room", {"4GiB"}}, {"pause", {"1.5"}},
      {"depth", {"2"}}};
  ASSERT_EQ(table().options().size(), kInitial.size());
  for (std::size_t i = 0; i < kInitial.size(); ++i) {
    EXPECT_EQ(table().options()[i].name, kInitial[i].first);
    EXPECT_EQ(table().options()[i].initial, kInitial[i].second) << kInitial[i].first;
  }
  EXPECT_EQ(option("shape").choice_list(), "round|square");
  EXPECT_EQ(option("on").choice_list(), "on|off");
  EXPECT_EQ(option("room").type, OptionType::bytes);
}

TEST(OptionTable, FillsTheStruct) {
  const Everything all = table().read({{"loud", {"true"}},
                                       {"count", {"7"}},
                                       {"most", {"9"}},
                                       {"share", {"0.25"}},
                                       {"name", {""}},
                                       {"names", {"z"}},
                                       {"maybe", {"0"}},
                                       {"shape", {"round"}},
                                       {"other", {"square"}},
                                       {"on", {"off"}},
                                       {"room", {"2MB"}},
                                       {"pause", {"0.0001"}},
                                       {"depth", {"5"}},
                                       {"unknown", {"1"}}});
  EXPECT_TRUE(all.loud);
  EXPECT_EQ(all.count, 7);
  EXPECT_EQ(all.most, 9);
  EXPECT_EQ(all.share, 0.25);
  EXPECT_EQ(all.name, "");
  EXPECT_EQ(all.names, std::vector<std::string>{"z"});
  EXPECT_EQ(all.maybe, 0);
  EXPECT_EQ(all.shape, Shape::round);
  EXPECT_EQ(all.other, Shape::square);
  EXPECT_FALSE(all.on);
  EXPECT_EQ(all.room, 2'000'000u);
  EXPECT_EQ(all.pause.count(), 1);  // never less than was asked for
  EXPECT_EQ(all.part.depth, 5);
}

TEST(OptionTable, LeavesWhatIsUnsetOrAbsent) {
  const Everything plain;
  const Everything all = table().read({{"most", {""}}, {"maybe", {""}}, {"other", {""}}});
  EXPECT_EQ(all.most, plain.most);
  EXPECT_FALSE(all.maybe);
  EXPECT_FALSE(all.other);
  EXPECT_EQ(all.count, 3);
  Everything base;
  base.count = 8;
  EXPECT_EQ(table().read({}, base).count, 8);
}

// Its own defaults, read back, change nothing.
TEST(OptionTable, ReadsWhatItTells) {
  OptionTexts texts;
  for (const Option& one : table().options()) {
    texts[one.name] = one.initial;
    EXPECT_NO_THROW(check_texts(one, one.initial, "default")) << one.name;
  }
  const Everything all = table().read(texts);
  EXPECT_EQ(all.most, Everything().most);
  EXPECT_EQ(all.names, Everything().names);
  EXPECT_EQ(all.room, Everything().room);
  EXPECT_EQ(all.pause, Everything().pause);
}

std::string what_is_refused(const std::string& name, const std::vector<std::string>& texts) {
  try {
    check_texts(option(name), texts, "a test");
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  return {};
}

TEST(CheckTexts, SaysWhatIsWrong) {
  EXPECT_EQ(what_is_refused("count", {"1"}), "");
  EXPECT_EQ(what_is_refused("count", {"0"}), "a test: --count must be at least 1, not 0");
  EXPECT_EQ(what_is_refused("count", {"1.5"}),
            "a test: count = \"1.5\" is not a whole number from 0 to 2147483647");
  EXPECT_EQ(what_is_refused("count", {"1", "2"}), "a test: count takes one value");
  EXPECT_EQ(what_is_refused("count", {}), "a test: count takes one value");
  EXPECT_EQ(what_is_refused("share", {"0"}),
            "a test: --share must be above 0 and at most 1, not 0");
  EXPECT_EQ(what_is_refused("share", {"1"}), "");
  EXPECT_EQ(what_is_refused("share", {"nan"}), "a test: share = \"nan\" is not a number");
  EXPECT_EQ(what_is_refused("shape", {"flat"}),
            "a test: shape = \"flat\" is not one of round|square");
  EXPECT_EQ(what_is_refused("loud", {"on"}), "a test: loud = \"on\" is not true or false");
  EXPECT_EQ(what_is_refused("room", {"1 GB"}),
            "a test: room = \"1 GB\" is not a number of bytes, for example 500MB or 2GB");
  EXPECT_EQ(what_is_refused("names", {}), "");
  EXPECT_EQ(what_is_refused("maybe", {""}), "");
  EXPECT_NE(what_is_refused("count", {""}), "");
}

TEST(TextOf, IsTheShortestThatReadsBack) {
  for (const double number : {0.1, 1e-6, -1.0, 600.0, 0.123456789012}) {
    EXPECT_EQ(real_number(number_text(number)), number);
  }
  EXPECT_EQ(number_text(600.0), "600");
  EXPECT_EQ(byte_text(1'000'000'000), "1GB");
  EXPECT_EQ(byte_text(std::uint64_t{4} << 30), "4GiB");
  EXPECT_EQ(byte_text(1500), "1500");
  EXPECT_EQ(byte_text(0), "0");
}

}  // namespace
}  // namespace fineprint
