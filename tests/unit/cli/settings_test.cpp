// Layers of settings: which one wins, what is refused, and how the refusal reads.
#include "fineprint/settings/settings.h"

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/answering/presets.h"
#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "cli/options.h"
#include "support/expect_mentions.h"
#include "support/temp_dir.h"

namespace fineprint::cli {
namespace {

using testing::expect_mentions;

// Runs in an empty folder with an empty configuration folder of the user.
class SettingsLayers : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::create_directory(folder_.file("work"));
    std::filesystem::create_directories(folder_.file("config/fineprint"));
    std::filesystem::current_path(folder_.file("work"));
    setenv("XDG_CONFIG_HOME", folder_.file("config").c_str(), 1);
  }
  void TearDown() override {
    std::filesystem::current_path(before_);
    unsetenv("XDG_CONFIG_HOME");
  }

  Settings resolve(const OptionTexts& flags = {}, const std::vector<std::string>& variables = {},
                   unsigned commands = kSearch) {
    std::vector<const char*> environment;
    for (const std::string& variable : variables) environment.push_back(variable.c_str());
    environment.push_back(nullptr);
    return answering::resolve_settings(flags, environment.data(), commands, options());
  }

  // The message of the Error(usage) that resolving must throw.
  std::string refusal(const OptionTexts& flags = {},
                      const std::vector<std::string>& variables = {}) {
    try {
      resolve(flags, variables);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "accepted";
    return {};
  }

  // What the project's file refuses.
  std::string file_refusal(const std::string& text) {
    folder_.write("work/fineprint.toml", text);
    return refusal();
  }

  testing::TempDir folder_;
  std::filesystem::path before_;
};

TEST_F(SettingsLayers, DefaultsAreTheTables) {
  const Settings settings = resolve();
  EXPECT_EQ(settings.integer("k"), 10);
  EXPECT_EQ(settings.text("ocr"), "auto");
  EXPECT_EQ(settings.real("min-confidence"), -1);
  EXPECT_FALSE(settings.flag("json"));
  EXPECT_EQ(settings.list("scorer"), (std::vector<std::string>{"bm25", "text"}));
  EXPECT_TRUE(settings.list("doc").empty());
  EXPECT_EQ(settings.origin("k"), "default");
}

TEST_F(SettingsLayers, EachLayerHidesTheOnesBelow) {
  const std::string user = folder_.write("config/fineprint/config.toml", "k = 1\n");
  EXPECT_EQ(resolve().integer("k"), 1);
  EXPECT_EQ(resolve().origin("k"), user);

  folder_.write("work/fineprint.toml", "k = 2\n");
  EXPECT_EQ(resolve().integer("k"), 2);
  EXPECT_EQ(resolve().origin("k"), "fineprint.toml");

  const std::string given = folder_.write("given.toml", "k = 3\n");
  EXPECT_EQ(resolve({{"config", {given}}}).integer("k"), 3);
  EXPECT_EQ(resolve({{"config", {given}}}, {"FINEPRINT_K=4"}).integer("k"), 4);
  EXPECT_EQ(resolve({{"config", {given}}, {"k", {"5"}}}, {"FINEPRINT_K=4"}).integer("k"), 5);
}

TEST_F(SettingsLayers, APresetLiesRightAboveTheDefaults) {
  const OptionTexts textrag = {{"pipeline", {"textrag"}}};
  const auto resolved = [&](const OptionTexts& flags,
                            const std::vector<std::string>& variables = {}) {
    return resolve(flags, variables, kBatch);
  };
  EXPECT_EQ(resolved({}).integer("k"), 10);
  EXPECT_EQ(resolved(textrag).integer("k"), 6);
  EXPECT_EQ(resolved(textrag).origin("k"), "configs/textrag.toml");
  EXPECT_EQ(resolved(textrag).list("scorer"), (std::vector<std::string>{"bm25", "text"}));
  EXPECT_EQ(resolved(textrag).text("pipeline"), "textrag");
  EXPECT_EQ(resolved(textrag).origin("pipeline"), "command line");

  const std::string user = folder_.write("config/fineprint/config.toml", "k = 1\n");
  EXPECT_EQ(resolved(textrag).integer("k"), 1);
  EXPECT_EQ(resolved(textrag).origin("k"), user);
  folder_.write("work/fineprint.toml", "k = 2\n");
  EXPECT_EQ(resolved(textrag).integer("k"), 2);
  const std::string given = folder_.write("given.toml", "k = 3\n");
  EXPECT_EQ(resolved({{"pipeline", {"textrag"}}, {"config", {given}}}).integer("k"), 3);
  EXPECT_EQ(resolved(textrag, {"FINEPRINT_K=4"}).integer("k"), 4);
  EXPECT_EQ(resolved({{"pipeline", {"textrag"}}, {"k", {"9"}}}).integer("k"), 9);
}

TEST_F(SettingsLayers, EachLayerMayNameThePreset) {
  folder_.write("config/fineprint/config.toml", "pipeline = \"textrag\"\n");
  EXPECT_EQ(resolve({}, {}, kAsk).integer("k"), 6);
  EXPECT_EQ(resolve({}, {"FINEPRINT_PIPELINE=vdocrag"}, kAsk).integer("k"), 3);
  EXPECT_EQ(
      resolve({{"pipeline", {"m3docrag"}}}, {"FINEPRINT_PIPELINE=vdocrag"}, kAsk).integer("k"), 4);
}

TEST_F(SettingsLayers, APresetIsForCommandsThatAnswer) {
  folder_.write("work/fineprint.toml", "pipeline = \"textrag\"\n");
  EXPECT_EQ(resolve({}, {}, kAsk).integer("k"), 6);
  for (const unsigned command : {kSearch, kIndex, kEval}) {
    EXPECT_EQ(resolve({}, {}, command).integer("k"), 10);
  }
}

TEST_F(SettingsLayers, APresetThatDoesNotExistIsRefusedWithTheOthers) {
  folder_.write("work/fineprint.toml", "pipeline = \"textrg\"\n");
  try {
    resolve({}, {}, kAsk);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    expect_mentions(error.what(), {"textrg", "extractive", "hkrag-paper", "m3docrag-code"});
  }
}

TEST_F(SettingsLayers, LayersJoinKeyByKeyAndListsAreReplacedWhole) {
  folder_.write("config/fineprint/config.toml", "k = 7\nscorer = [\"text\"]\nquiet = true\n");
  folder_.write("work/fineprint.toml", "ocr = \"never\"\n");
  const Settings settings = resolve({{"scorer", {"bm25"}}}, {"FINEPRINT_OCR_LANG=deu+eng"});
  EXPECT_EQ(settings.integer("k"), 7);
  EXPECT_TRUE(settings.flag("quiet"));
  EXPECT_EQ(settings.text("ocr"), "never");
  EXPECT_EQ(settings.text("ocr-lang"), "deu+eng");
  EXPECT_EQ(settings.list("scorer"), (std::vector<std::string>{"bm25"}));
}

TEST_F(SettingsLayers, FilesHoldEveryType) {
  folder_.write("work/fineprint.toml",
                "# a comment\n"
                "store = \"a \\\"b\\\" = # c\"\n"
                "k = 1_000\n"
                "adaptive = true\n"
                "min-confidence = 0.123456789012\n"
                "scorer = [\"bm25\", \"text\"]\n");
  const Settings settings = resolve();
  EXPECT_EQ(settings.text("store"), "a \"b\" = # c");
  EXPECT_EQ(settings.integer("k"), 1000);
  EXPECT_TRUE(settings.flag("adaptive"));
  EXPECT_EQ(settings.real("min-confidence"), 0.123456789012);
  EXPECT_EQ(settings.list("scorer"), (std::vector<std::string>{"bm25", "text"}));
}

TEST_F(SettingsLayers, FilesAreRefusedByFileLineAndKey) {
  expect_mentions(file_refusal("k = 1\n\nkk = 2\n"), {"fineprint.toml:3", "kk"});
  expect_mentions(file_refusal("[search]\nk = 2\n"), {"fineprint.toml:1", "search"});
  expect_mentions(file_refusal("k = 1\nk = 2\n"), {"fineprint.toml:2"});
  expect_mentions(file_refusal("ocr = \"auto\nk = 2\n"), {"fineprint.toml:1"});
  expect_mentions(file_refusal("k = \n"), {"fineprint.toml:1"});
  expect_mentions(file_refusal("k = 2024-01-01\n"), {"fineprint.toml:1", "k"});
  expect_mentions(file_refusal("k = { a = 1 }\n"), {"fineprint.toml:1", "k"});
  expect_mentions(file_refusal("scorer = [[\"bm25\"]]\n"), {"fineprint.toml:1", "scorer"});
  expect_mentions(file_refusal("k = 1\n[# no table\n"), {"fineprint.toml:2", "#"});
  expect_mentions(file_refusal("out = \"a.jsonl\"\n"), {"fineprint.toml:1", "--out"});
}

TEST_F(SettingsLayers, ValuesOfTheWrongTypeAreRefusedByFileAndKey) {
  for (const char* line :
       {"k = \"many\"", "k = -1", "k = 1.5", "k = true", "k = [1, 2]", "k = 99999999999",
        "adaptive = 1", "adaptive = \"yes\"", "min-confidence = \"high\"", "min-confidence = nan",
        "min-confidence = inf", "ocr = \"sometimes\""}) {
    const std::string key = std::string(line).substr(0, std::string(line).find(' '));
    expect_mentions(file_refusal(std::string(line) + "\n"), {"fineprint.toml", key});
  }
  expect_mentions(file_refusal("ocr = \"sometimes\"\n"), {"sometimes", "auto|never|always"});
}

TEST_F(SettingsLayers, FlagsAreCheckedLikeFiles) {
  expect_mentions(refusal({{"k", {"ten"}}}), {"command line", "k", "ten", "whole number"});
  expect_mentions(refusal({{"fusion", {"max"}}}), {"fusion", "max", "one of", "rrf"});
  expect_mentions(refusal({{"min-confidence", {"0.5x"}}}), {"min-confidence", "0.5x"});
  EXPECT_EQ(resolve({{"min-confidence", {"0.25"}}}).real("min-confidence"), 0.25);
}

TEST_F(SettingsLayers, AConfigurationFileThatIsMissingIsNamed) {
  try {
    resolve({{"config", {folder_.file("nowhere.toml")}}});
    ADD_FAILURE();
  } catch (const Error& error) {
    expect_mentions(error.what(), {"nowhere.toml"});
  }
}

TEST_F(SettingsLayers, ANumberMayStayUnset) {
  const Settings defaults = resolve();
  EXPECT_EQ(defaults.text("temperature"), "");
  EXPECT_FALSE(defaults.integer_if_set("top-k").has_value());
  EXPECT_EQ(resolve({{"temperature", {"0.5"}}}).real("temperature"), 0.5);
  EXPECT_EQ(resolve({}, {"FINEPRINT_TOP_K=20"}).integer_if_set("top-k"), 20);
  EXPECT_EQ(resolve({{"top-k", {""}}}, {"FINEPRINT_TOP_K=20"}).integer_if_set("top-k"),
            std::nullopt);
  EXPECT_NE(refusal({{"temperature", {"warm"}}}), "");
  EXPECT_NE(refusal({{"k", {""}}}), "");  // others need a value
  EXPECT_TRUE(Json::parse(defaults.to_json()).at("temperature").is_null());
}

TEST_F(SettingsLayers, TheEnvironmentNamesOptionsInCapitals) {
  const Settings settings =
      resolve({}, {"PATH=/bin", "FINEPRINT=/x", "FINEPRINT_MIN_K=3", "FINEPRINT_SCORER=text,bm25",
                   "FINEPRINT_STORE=a=b", "FINEPRINT_TRACE=true", "NOEQUALS"});
  EXPECT_EQ(settings.integer("min-k"), 3);
  EXPECT_EQ(settings.list("scorer"), (std::vector<std::string>{"text", "bm25"}));
  EXPECT_EQ(settings.text("store"), "a=b");
  EXPECT_TRUE(settings.flag("trace"));
  EXPECT_EQ(settings.origin("min-k"), "environment");
}

TEST_F(SettingsLayers, TheKeyOfAServerIsNoSetting) {
  const Settings settings = resolve({}, {"FINEPRINT_API_KEY=sk-1", "FINEPRINT_API_RETRIES=2"});
  EXPECT_EQ(settings.integer("api-retries"), 2);
  EXPECT_EQ(settings.to_json().find("sk-1"), std::string::npos);
}

TEST_F(SettingsLayers, AMisspeltVariableIsNotLost) {
  expect_mentions(refusal({}, {"FINEPRINT_STOER=x"}), {"FINEPRINT_STOER"});
  expect_mentions(refusal({}, {"FINEPRINT_OUT=x"}), {"FINEPRINT_OUT"});  // a flag only
  expect_mentions(refusal({}, {"FINEPRINT_K=x"}), {"environment", "k"});
}

TEST_F(SettingsLayers, ManifestsHoldEveryValueButSecrets) {
  const Json all = Json::parse(resolve({{"password", {"hunter2"}}, {"doc", {"a", "b"}}}).to_json());
  EXPECT_EQ(all.size(), options().all().size() - 1);
  EXPECT_FALSE(all.contains("password"));
  EXPECT_EQ(all["k"], 10);
  EXPECT_EQ(all["json"], false);
  EXPECT_EQ(all["min-confidence"], -1.0);
  EXPECT_EQ(all["ocr"], "auto");
  EXPECT_EQ(all["doc"], Json::array({"a", "b"}));
}

TEST_F(SettingsLayers, OptionsOfPipelinesHaveFullAndBareNames) {
  EXPECT_EQ(resolve().integer("hkrag.iterations"), 3);
  EXPECT_EQ(resolve({{"hkrag.iterations", {"5"}}}).integer("hkrag.iterations"), 5);
  EXPECT_EQ(resolve({{"iterations", {"5"}}}).integer("hkrag.iterations"), 5);
  EXPECT_EQ(resolve({}, {"FINEPRINT_HKRAG_ITERATIONS=6"}).integer("hkrag.iterations"), 6);
  EXPECT_EQ(resolve({}, {"FINEPRINT_ITERATIONS=6"}).integer("hkrag.iterations"), 6);
  for (const char* text :
       {"iterations = 7\n", "hkrag.iterations = 7\n", "[hkrag]\niterations = 7\n"}) {
    folder_.write("work/fineprint.toml", text);
    EXPECT_EQ(resolve().integer("hkrag.iterations"), 7) << text;
  }
  // Another layer may use the other name.
  EXPECT_EQ(resolve({{"iterations", {"8"}}}).integer("hkrag.iterations"), 8);
  EXPECT_EQ(resolve({{"hkrag.iterations", {"8"}}}).texts_of("hkrag").at("iterations").front(), "8");
  expect_mentions(file_refusal("[hkrag]\nsteps = 7\n"), {"fineprint.toml:2: hkrag.steps"});
  expect_mentions(file_refusal("[hkrag]\niterations = \"many\"\n"), {"hkrag.iterations", "many"});
}

TEST_F(SettingsLayers, AnOptionIsGivenOnceInALayer) {
  expect_mentions(refusal({{"hkrag.iterations", {"5"}}, {"iterations", {"5"}}}),
                  {"command line", "hkrag.iterations", "one setting"});
}

TEST_F(SettingsLayers, BoundsAreCheckedWhereverAValueComesFrom) {
  expect_mentions(refusal({{"k", {"0"}}}), {"command line: -k must be at least 1"});
  expect_mentions(refusal({}, {"FINEPRINT_MAX_SECONDS=0"}),
                  {"environment: --max-seconds must be above 0"});
  expect_mentions(file_refusal("worker-seconds = 0.5\n"),
                  {"fineprint.toml: --worker-seconds must be from 1 to 86400"});
  expect_mentions(file_refusal("worker-memory = \"1MB\"\n"), {"--worker-memory", "below 64MiB"});
  expect_mentions(file_refusal("device = \"cuda:x\"\n"), {"--device cuda:x", "cuda:N"});
  expect_mentions(file_refusal("mask-weights = \"1\"\n"), {"--mask-weights", "two numbers"});
  for (const char* window : {"0", "many", "-1", "99999999999"}) {
    expect_mentions(file_refusal("gmm-window = \"" + std::string(window) + "\"\n"),
                    {"--gmm-window", window, "a number of scores, or all"});
  }
}

TEST(SettingsTable, BytesHaveUnits) {
  const std::pair<const char*, std::uint64_t> kSizes[] = {
      {"0", 0},          {"1500", 1500},       {"12B", 12},
      {"512MB", 512e6},  {"2GB", 2e9},         {"20TB", 20e12},
      {"3KiB", 3 << 10}, {"2GiB", 2ull << 30}, {"1000000000000000", 1e15}};
  for (const auto& [text, value] : kSizes) {
    Settings settings(options());
    settings.lay_over({{"cache-bytes", {text}}}, "command line");
    EXPECT_EQ(settings.bytes("cache-bytes"), value) << text;
  }
  for (const char* text : {"", "GB", "1 GB", "1.5GB", "-1", "1XB", "1G", "1gb", "1iB", "1GiBs",
                           "2000000000TB", "99999999999999999999"}) {
    Settings settings(options());
    EXPECT_THROW(settings.lay_over({{"cache-bytes", {text}}}, "command line"), Error) << text;
  }
}

TEST_F(SettingsLayers, EachPipelineOfABenchmarkHasItsPresetBelowWhatWasGiven) {
  const Settings given = resolve({{"pipeline", {"textrag,vidorag-paper"}}, {"seed", {"7"}}},
                                 {"FINEPRINT_MAX_CALLS=9"}, kBench);
  const std::vector<Settings> all = answering::settings_of_pipelines(given);
  ASSERT_EQ(all.size(), 2);
  EXPECT_EQ(all[0].text("pipeline"), "textrag");
  EXPECT_EQ(all[0].integer("k"), 6);
  EXPECT_EQ(all[0].origin("k"), "configs/textrag.toml");
  EXPECT_EQ(all[1].text("pipeline"), "vidorag-paper");
  EXPECT_TRUE(all[1].flag("strict"));
  for (const Settings& settings : all) {
    EXPECT_EQ(settings.integer("seed"), 7);
    EXPECT_EQ(settings.origin("seed"), "command line");
    EXPECT_EQ(settings.integer("max-calls"), 9);
  }
  EXPECT_EQ(answering::settings_of_pipelines(resolve({}, {}, kBench)).front().text("pipeline"),
            "extractive");
  for (const char* wrong : {"textrag,textrag", "nosuch", "", ","}) {
    const Settings of_wrong = resolve({{"pipeline", {wrong}}}, {}, kBench);
    EXPECT_THROW(answering::settings_of_pipelines(of_wrong), Error) << wrong;
  }
}

TEST(SettingsTable, AskingForAnOptionThatDoesNotExistIsAMistakeOfTheProgram) {
  try {
    Settings(options()).text("nothing");
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
  }
}

}  // namespace
}  // namespace fineprint::cli
