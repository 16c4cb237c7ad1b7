// The tables of options and commands hold together, and configs/default.toml is made from them.
#include "cli/options.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/pipelines/pipeline.h"

#include "cli/commands.h"
#include "cli/configuration.h"
#include "cli/settings.h"
#include "support/temp_dir.h"

namespace fineprint::cli {
namespace {

constexpr const char* kDefaultFile = FINEPRINT_TEST_DATA "/../../configs/default.toml";

TEST(Options, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const Option& option : options()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_EQ(find_option(option.name), &option);
  }
  EXPECT_EQ(find_option("nothing"), nullptr);
}

TEST(Options, OneLetterFlagsAreUniqueWithinACommand) {
  for (const Command& command : commands()) {
    std::set<std::string_view> letters = {"h"};
    for (const Option& option : options()) {
      if (option.brief.empty() || !(option.commands & command.bit)) continue;
      EXPECT_EQ(option.brief.size(), 1u) << option.name;
      EXPECT_TRUE(letters.insert(option.brief).second) << command.name << " -" << option.brief;
    }
  }
}

TEST(Options, NamesFitFlagsFilesAndTheEnvironment) {
  for (const Option& option : options()) {
    EXPECT_EQ(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              std::string::npos)
        << option.name;
  }
}

TEST(Options, EachIsExplainedAndBelongsSomewhere) {
  unsigned every_bit = 0;
  for (const Command& command : commands()) every_bit |= command.bit;
  for (const Option& option : options()) {
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_NE(option.commands & every_bit, 0u) << option.name;
    EXPECT_EQ(option.type == OptionType::boolean, option.value.empty()) << option.name;
  }
}

TEST(Options, DefaultsPassTheirOwnChecks) {
  const Settings defaults;
  RawValues values;
  for (const Option& option : options()) {
    values[std::string(option.name)] = option.type == OptionType::list
                                           ? defaults.list(option.name)
                                           : std::vector{defaults.text(option.name)};
  }
  Settings settings;
  EXPECT_NO_THROW(settings.lay_over(values, "defaults"));
}

TEST(Options, HoldTheSettingsOfPipelines) {
  ASSERT_FALSE(pipelines::all_settings().empty());
  for (const pipelines::Setting& setting : pipelines::all_settings()) {
    const Option* option = find_option(setting.name);
    ASSERT_NE(option, nullptr) << setting.name;
    EXPECT_EQ(option->initial, setting.initial);
    EXPECT_EQ(option->help, setting.help);
    EXPECT_EQ(option->commands, unsigned{kAnsweringCommands}) << setting.name;
    EXPECT_FALSE(option->same_answers || option->flag_only) << setting.name;
  }
  EXPECT_EQ(find_option("iterations")->type, OptionType::integer);
  EXPECT_EQ(find_option("judger-threshold")->type, OptionType::real);
  EXPECT_EQ(find_option("no-pruner")->type, OptionType::boolean);
  EXPECT_EQ(find_option("answer-format")->choices, "json|text");
}

// What is left out here decides answers: a new option does until it is marked otherwise.
TEST(Options, FewOfBatchLeaveTheAnswersAlone) {
  const std::set<std::string_view> kNamed = {
      "store",         "out",          "password",     "password-file",  "cache-bytes",
      "keep-states",   "states-bytes", "api-key-file", "api-timeout",    "api-connect-timeout",
      "api-retries",   "trace",        "workers",      "shard",          "retry-failed",
      "force",         "device",       "jobs",         "quiet",          "verbose",
      "debug",         "config",       "libreoffice",  "max-file-pages", "worker-memory",
      "worker-seconds"};
  std::set<std::string_view> marked;
  for (const Option& option : options()) {
    if (option.same_answers) marked.insert(option.name);
  }
  EXPECT_EQ(marked, kNamed);
}

TEST(Commands, EachHasAnExampleOfItself) {
  std::set<unsigned> bits;
  for (const Command& command : commands()) {
    EXPECT_TRUE(bits.insert(command.bit).second) << command.name;
    EXPECT_TRUE(command.example.starts_with("fineprint " + std::string(command.name)))
        << command.name;
    EXPECT_FALSE(command.summary.empty());
    EXPECT_NE(command.run, nullptr);
  }
}

TEST(DefaultConfiguration, IsTheFileInConfigs) {
  EXPECT_EQ(read_file(kDefaultFile), default_configuration())
      << "make it again: fineprint --print-defaults > configs/default.toml";
}

TEST(DefaultConfiguration, LoadsAndChangesNothing) {
  Settings settings;
  const std::string before = settings.to_json();
  settings.lay_over(read_configuration(kDefaultFile), "default.toml");
  EXPECT_EQ(settings.to_json(), before);
}

TEST(DefaultConfiguration, HoldsEveryKeyThatAFileMayHold) {
  const RawValues values = read_configuration(kDefaultFile);
  for (const Option& option : options()) {
    EXPECT_EQ(values.contains(option.name), !option.flag_only) << option.name;
  }
}

}  // namespace
}  // namespace fineprint::cli
