// Options of several pipelines: full and bare names, and values by type.
#include "fineprint/settings/option_set.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"
#include "fineprint/settings/configuration.h"
#include "fineprint/settings/settings.h"

#include "support/expect_mentions.h"

namespace fineprint::settings {
namespace {

using testing::expect_mentions;

struct Search {
  int k = 10;
  bool deep = false;
  std::vector<std::string> docs;
  std::optional<double> least;
  std::string out;
};
struct Loop {
  int steps = 3;
  double share = 0.5;
};

const OptionSet& set() {
  static const OptionSet all = [] {
    const auto search =
        OptionTable<Search>()
            .add("k", &Search::k, {.help = "pages", .value = "N", .brief = "k"})
            .add("deep", &Search::deep, {.help = "deeply"})
            .add("docs", &Search::docs, {.help = "where", .value = "GLOB"})
            .add("least", &Search::least, {.help = "score", .value = "S"})
            .add("out", &Search::out, {.help = "file", .value = "FILE", .flag_only = true});
    const auto loop =
        OptionTable<Loop>().add("steps", &Loop::steps, {.help = "the most", .value = "N"});
    const auto other = OptionTable<Loop>()
                           .add("steps", &Loop::steps, {.help = "the most", .value = "N"})
                           .add("share", &Loop::share, {.help = "of pages", .value = "P"});
    OptionSet options;
    options.add(search.options(), kSearchingCommands, {{"out", kBatch}});
    options.add(loop.options(), kAnsweringCommands, {}, "first");
    options.add(other.options(), kAnsweringCommands, {}, "second");
    return options;
  }();
  return all;
}

template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "accepted";
  return {};
}

TEST(OptionSet, FindsByFullName) {
  EXPECT_EQ(set().find("k")->commands, unsigned{kSearchingCommands});
  EXPECT_EQ(set().find("out")->commands, unsigned{kBatch});
  EXPECT_EQ(set().find("first.steps")->name, "first.steps");
  EXPECT_EQ(set().find("steps"), nullptr);
  EXPECT_EQ(set().find("third.steps"), nullptr);
  EXPECT_TRUE(set().has_prefix("second"));
  EXPECT_FALSE(set().has_prefix("sec"));
  EXPECT_EQ(set().bare_names(), (std::vector<std::string>{"share", "steps"}));
  EXPECT_EQ(variable_of("second.top-share"), "FINEPRINT_SECOND_TOP_SHARE");
}

TEST(OptionSet, ABareNameStandsForTheOnlyOneThatThereIs) {
  EXPECT_EQ(set().find_given("share", "a test"), set().find("second.share"));
  EXPECT_EQ(set().find_given("nothing", "a test"), nullptr);
  expect_mentions(refusal([] { set().find_given("steps", "a test"); }),
                  {"a test: ", "\"steps\"", "first.steps, second.steps"});
}

TEST(OptionSet, NamesStandOnce) {
  OptionSet options = set();
  EXPECT_THROW(options.add(options.all().front()), Error);
}

TEST(Settings, RefuseABareNameOfSeveralWhereverItComesFrom) {
  const auto laid = [](const OptionTexts& values) { Settings(set()).lay_over(values, "a.toml"); };
  const std::vector<std::string> kNames = {"first.steps", "second.steps"};
  expect_mentions(refusal([&] { laid({{"steps", {"2"}}}); }), kNames);
  expect_mentions(refusal([&] { laid(parse_configuration("steps = 2\n", "a.toml", set())); }),
                  kNames);
  const char* const environment[] = {"FINEPRINT_STEPS=2", nullptr};
  expect_mentions(refusal([&] { read_environment(environment, set()); }), kNames);
}

TEST(Settings, FillTheStructOfAPipeline) {
  Settings settings(set());
  settings.lay_over({{"second.steps", {"7"}}, {"share", {"0.25"}}}, "command line");
  EXPECT_EQ(settings.texts_of("second"), (OptionTexts{{"steps", {"7"}}, {"share", {"0.25"}}}));
  EXPECT_EQ(settings.texts_of("first"), (OptionTexts{{"steps", {"3"}}}));
  EXPECT_EQ(settings.origin("second.share"), "command line");
}

TEST(Settings, AreReadByTheirTypes) {
  Settings settings(set());
  settings.lay_over({{"k", {"4"}},
                     {"deep", {"true"}},
                     {"docs", {"a", "b"}},
                     {"least", {"0.25"}},
                     {"second.steps", {"5"}},
                     {"first.steps", {"6"}},
                     {"share", {"0.001"}}},
                    "a request");
  EXPECT_EQ(settings.integer("k"), 4);
  EXPECT_TRUE(settings.flag("deep"));
  EXPECT_EQ(settings.list("docs"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(settings.real("least"), 0.25);
  EXPECT_EQ(settings.integer("second.steps"), 5);
  EXPECT_EQ(settings.integer("first.steps"), 6);
  EXPECT_EQ(settings.real("second.share"), 0.001);
  EXPECT_EQ(settings.origin("k"), "a request");

  settings.lay_over({{"least", {""}}, {"docs", {}}}, "a request");
  EXPECT_EQ(settings.text("least"), "");
  EXPECT_TRUE(settings.list("docs").empty());
}

TEST(Settings, RefuseTextsOfAnotherType) {
  const auto refused = [](const std::string& key, const std::string& text) {
    return refusal([&] { Settings(set()).lay_over({{key, {text}}}, "a request"); });
  };
  expect_mentions(refused("kk", "1"), {"a request", "kk"});
  expect_mentions(refused("second.stops", "1"), {"a request", "second.stops"});
  expect_mentions(refused("k", "many"), {"a request: k", "many"});
  expect_mentions(refused("k", "1.5"), {"a request: k", "1.5"});
  expect_mentions(refused("k", ""), {"a request: k"});
}

TEST(Rows, AreReadInTheirOrder) {
  const auto rows = parse_rows("[[m]]\na = 1\nb = \"x\"\n[[m]]\na = [2, 3]\n", "f", "m");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("b"), std::vector<std::string>{"x"});
  EXPECT_EQ(rows[1].at("a"), (std::vector<std::string>{"2", "3"}));
  EXPECT_TRUE(parse_rows("", "f", "m").empty());
}

TEST(Rows, NothingElseMayStandThere) {
  const auto refusal = [](const std::string& text) {
    try {
      parse_rows(text, "file.toml", "m");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  expect_mentions(refusal("a = 1\n"), {"file.toml:1: a", "[[m]]"});
  expect_mentions(refusal("[m]\na = 1\n"), {"file.toml:1: m", "[[m]]"});
  expect_mentions(refusal("[[n]]\na = 1\n"), {"file.toml:1: n"});
  expect_mentions(refusal("m = [1]\n"), {"file.toml:1: m", "not a table"});
  expect_mentions(refusal("[[m]]\na = {b = 1}\n"), {"file.toml", "a"});
  expect_mentions(refusal("[[m]]\na = \n"), {"file.toml:2"});
}

TEST(Toml, BecomesJson) {
  const Json json = parse_toml(
      "a = 1\nb = [0.5, nan]\nc = {d = true}\n[[e]]\nf = \"x\"\n[[e]]\nf = \"y\"\n", "file.toml");
  EXPECT_EQ(json.at("a"), 1);
  EXPECT_EQ(json.at("b").at(0), 0.5);
  EXPECT_TRUE(std::isnan(json.at("b").at(1).get<double>()));
  EXPECT_EQ(json.at("c").at("d"), true);
  EXPECT_EQ(json.at("e").at(1).at("f"), "y");
}

TEST(Toml, RefusesDatesAndErrorsWithTheirLine) {
  const auto refusal = [](const std::string& text) {
    try {
      parse_toml(text, "file.toml");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  expect_mentions(refusal("a = 1\nb = 2026-01-01\n"), {"file.toml:2", "expected text"});
  expect_mentions(refusal("a = 1\nb = \n"), {"file.toml:2"});
  expect_mentions(refusal("a = \"" + std::string(70000, 'x') + "\"\n"), {"file.toml", "bytes"});
}

}  // namespace
}  // namespace fineprint::settings
