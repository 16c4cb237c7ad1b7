// Presets: every file of configs loads, and what a preset may hold.
#include "fineprint/answering/presets.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "cli/options.h"
#include "support/expect_mentions.h"

namespace fineprint::cli {
namespace {

using namespace answering;
using testing::expect_mentions;

constexpr const char* kHead = "method = \"extractive\"\nsummary = \"a test\"\n";

// The message of the Error(usage) that the text must meet.
std::string refusal(const std::string& text) {
  try {
    parse_preset("mine", text, options());
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

TEST(Presets, AllThatAreBuiltInLoad) {
  const std::vector<std::string> names = preset_names();
  for (const char* name :
       {"direct", "extractive", "hkrag", "hkrag-paper", "m3docrag", "m3docrag-code", "textrag",
        "vdocrag", "vidorag", "vidorag-paper", "visualrag"}) {
    EXPECT_EQ(std::ranges::count(names, name), 1) << name;
  }
  for (const std::string& name : names) {
    const Preset preset = find_preset(name, options());
    EXPECT_EQ(preset.name, name);
    EXPECT_EQ(preset.file, "configs/" + name + ".toml");
    EXPECT_FALSE(preset.summary.empty()) << name;
    EXPECT_TRUE(name.starts_with(preset.method->info.name)) << name;
  }
}

// The keys of a dotted key are nested, and so many overrun the stack.
TEST(Presets, VariantsDifferFromTheirBase) {
  const std::vector<std::string> presets = preset_names();
  const std::vector<std::string> variants = variant_names();
  EXPECT_GT(variants.size(), 15U);
  for (const std::string& name : variants) {
    EXPECT_EQ(std::ranges::count(presets, name), 0) << name;
    const Preset variant = find_preset(name, options());
    EXPECT_EQ(variant.file, "configs/variants/" + name + ".toml");
    EXPECT_TRUE(name.starts_with(variant.base + "-")) << name;
    const Preset base = find_preset(variant.base, options());
    EXPECT_EQ(variant.method, base.method);
    EXPECT_NE(variant.values, base.values) << name;
    for (const auto& [key, texts] : base.values) EXPECT_TRUE(variant.values.contains(key)) << name;
  }
}

TEST(Presets, AVariantSaysOnlyWhatItDoesOtherwise) {
  const Preset variant = find_preset("hkrag-paper-without-pruner", options());
  OptionTexts expected = find_preset("hkrag-paper", options()).values;
  expected.at("hkrag.no-pruner") = {"true"};
  EXPECT_EQ(variant.values, expected);
  EXPECT_TRUE(find_preset("hkrag", options()).base.empty());
}

TEST(Presets, AVariantIsOfAPreset) {
  const std::string text = "summary = \"s\"\nbase = \"";
  expect_mentions(refusal(text + "none\"\n"), {"configs/mine.toml", "\"none\"", "is not a preset"});
  expect_mentions(refusal(text + "molorag-logic-only\"\n"), {"is not a preset"});
  expect_mentions(refusal(text + "hkrag\"\nmethod = \"hkrag\"\n"), {"comes with a method"});
}

TEST(Presets, AreNotLargerThanPeopleWriteThem) {
  std::string text = kHead;
  for (int i = 0; i < 1'000'000; ++i) text += "a.";
  expect_mentions(refusal(text + "a = 1\n"), {"configs/mine.toml", "2000", "bytes"});
}

TEST(Presets, TellEverySettingOfTheirMethod) {
  for (const std::string& name : preset_names()) {
    const Preset preset = find_preset(name, options());
    for (const Option& own : preset.method->options) {
      if (own.may_be_unset()) continue;
      const std::string key = preset.method->info.name + "." + own.name;
      EXPECT_TRUE(preset.values.contains(key)) << name << ": " << key;
    }
    for (const std::string& key : preset.method->reads) {
      EXPECT_TRUE(preset.values.contains(key)) << name << ": " << key;
    }
    const bool searches = preset.method->info.searches;
    EXPECT_EQ(preset.values.contains("scorer"), searches) << name;
    EXPECT_EQ(preset.values.contains("k"), searches) << name;
  }
}

TEST(Presets, EveryMethodHasOneOfItsName) {
  const std::vector<std::string> names = preset_names();
  for (const pipelines::Pipeline& pipeline : pipelines::all()) {
    EXPECT_EQ(std::ranges::count(names, pipeline.info.name), 1) << pipeline.info.name;
  }
}

// A search does not read again what it found, unless it is told to.
TEST(Presets, TheDefaultOneIsMadeOfTheDefaultsAndTheQaModel) {
  Settings settings(options());
  const std::string defaults = settings.to_json();
  Preset preset = find_preset(settings.text("pipeline"), options());
  EXPECT_EQ(preset.values.at("qa"), std::vector<std::string>{"reader"});
  preset.values.erase("qa");
  settings.lay_over(preset.values, preset.file);
  EXPECT_EQ(settings.to_json(), defaults);
}

TEST(Presets, DifferWhereTheirPapersDo) {
  const auto value = [](const std::string& name, const std::string& key) {
    return find_preset(name, options()).values.at(key).front();
  };
  EXPECT_EQ(value("hkrag", "scorer"), "hybrid-mask");
  EXPECT_EQ(value("hkrag-paper", "scorer"), "page");
  EXPECT_EQ(value("hkrag", "hkrag.drop-empty-pages"), "on");
  EXPECT_EQ(value("hkrag-paper", "hkrag.drop-empty-pages"), "off");
  EXPECT_EQ(value("hkrag-paper", "hkrag.decoupler-crops"), "0");
  EXPECT_EQ(value("m3docrag-code", "late-tokens"), value("m3docrag-code", "k"));
  EXPECT_EQ(value("m3docrag-code", "late-rescore"), "off");
  for (const char* paper : {"dmap-paper", "hkrag-paper", "m3docrag-code", "mdocagent-paper"}) {
    EXPECT_EQ(value(paper, "strict"), "true") << paper;
  }
  EXPECT_EQ(value("dmap", "dmap.free-replies"), "off");
  EXPECT_EQ(value("dmap-paper", "dmap.free-replies"), "on");
  EXPECT_EQ(value("dmap-paper", "dmap.critical"), "off");
  EXPECT_EQ(value("mdocagent", "mdocagent.free-replies"), "off");
  EXPECT_EQ(value("mdocagent-paper", "mdocagent.free-replies"), "on");
  EXPECT_EQ(value("vdocrag", "answer-tokens"), "64");
  EXPECT_EQ(value("vidorag", "gmm-window"), "20");
  EXPECT_EQ(value("vidorag-paper", "gmm-window"), "20");
  EXPECT_EQ(value("vidorag", "vidorag.seeker-padding"), "on");
  EXPECT_EQ(value("vidorag-paper", "vidorag.seeker-padding"), "off");
  EXPECT_EQ(value("direct", "direct.direct-pages"), "30");
}

TEST(Presets, AnUnknownNameIsRefusedWithTheOthers) {
  try {
    find_preset("default", options());
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    expect_mentions(error.what(), {"\"default\"", "direct, dmap, dmap-paper, extractive, hkrag"});
  }
}

TEST(Presets, ANameIsCheckedWithoutParsingIt) {
  check_preset_name("direct");
  check_preset_name("hkrag-paper-without-pruner");  // a variant
  for (const char* name : {"default", "", "direct,hkrag"}) {
    try {
      check_preset_name(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      expect_mentions(error.what(), {"\"" + std::string(name) + "\"", "direct, dmap, dmap-paper"});
    }
  }
}

TEST(Presets, FactsAreThoseOfThePreset) {
  for (int i = 0; i < 2; ++i) {  // parsed, then known
    const PresetFacts facts = preset_facts("hkrag-paper-without-pruner", options());
    EXPECT_EQ(facts.name, "hkrag-paper-without-pruner");
    EXPECT_EQ(facts.file, "configs/variants/hkrag-paper-without-pruner.toml");
    EXPECT_EQ(facts.base, "hkrag-paper");
    EXPECT_EQ(facts.method->info.name, "hkrag");
  }
  EXPECT_THROW(preset_facts("default", options()), Error);
}

TEST(Presets, HoldValuesOfEveryType) {
  const Preset preset = parse_preset("mine",
                                     std::string(kHead) +
                                         "scorer = [\"bm25\", \"text\"]\nk = 3\nadaptive = true\n"
                                         "min-confidence = 0.5\nmask-mode = \"dense\"\n",
                                     options());
  EXPECT_EQ(preset.summary, "a test");
  EXPECT_EQ(preset.method->info.name, "extractive");
  EXPECT_EQ(preset.values, (OptionTexts{{"scorer", {"bm25", "text"}},
                                        {"k", {"3"}},
                                        {"adaptive", {"true"}},
                                        {"min-confidence", {"0.5"}},
                                        {"mask-mode", {"dense"}}}));
}

TEST(Presets, AreRefusedByFileLineAndKey) {
  expect_mentions(refusal(std::string(kHead) + "kk = 2\n"), {"configs/mine.toml:3: kk"});
  expect_mentions(refusal(std::string(kHead) + "k = \n"), {"configs/mine.toml:3"});
  expect_mentions(refusal(std::string(kHead) + "k = \"many\"\n"), {"configs/mine.toml", "k"});
  expect_mentions(refusal(std::string(kHead) + "out = \"x\"\n"), {"configs/mine.toml:3", "--out"});
  for (const std::string key : {"pipeline = \"hkrag\"", "workers = 2", "ocr = \"never\"",
                                "store = \"x\"", "device = \"cpu\""}) {
    expect_mentions(refusal(kHead + key + "\n"),
                    {"configs/mine.toml", key.substr(0, key.find(' ')), "a preset cannot set"});
  }
}

TEST(Presets, NameTheirMethodAndSayWhatTheyAre) {
  expect_mentions(refusal("summary = \"a test\"\n"), {"configs/mine.toml", "method"});
  expect_mentions(refusal("method = \"extractive\"\n"), {"configs/mine.toml", "summary"});
  expect_mentions(refusal("method = \"extractive\"\nsummary = \"\"\n"), {"summary"});
  expect_mentions(refusal("method = [\"a\", \"b\"]\nsummary = \"a test\"\n"), {"method"});
  expect_mentions(refusal("method = \"hkragg\"\nsummary = \"a test\"\n"),
                  {"configs/mine.toml", "hkragg", "extractive"});
}

// Two pipelines may have an option of one name: a preset means its own method's.
TEST(Presets, HoldTheOptionsOfTheirMethodByBareNames) {
  OptionSet both;
  const std::vector<Option> steps = {{.name = "steps",
                                      .type = OptionType::integer,
                                      .initial = {"3"},
                                      .choices = {},
                                      .facts = {.help = "steps", .value = "N"}}};
  both.add(steps, kAnsweringCommands, {}, "hkrag");
  both.add(steps, kAnsweringCommands, {}, "direct");
  const std::string head = "method = \"direct\"\nsummary = \"a test\"\n";
  for (const char* text : {"steps = 2\n", "direct.steps = 2\n", "[direct]\nsteps = 2\n"}) {
    EXPECT_EQ(parse_preset("mine", head + text, both).values,
              (OptionTexts{{"direct.steps", {"2"}}}))
        << text;
  }
}

}  // namespace
}  // namespace fineprint::cli
