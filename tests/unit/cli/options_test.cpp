// The tables of options and commands hold together, and configs/default.toml is made from them.
#include "cli/options.h"

#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/settings/configuration.h"
#include "fineprint/settings/settings.h"

#include "cli/commands.h"
#include "support/temp_dir.h"

namespace fineprint::cli {
namespace {

constexpr const char* kDefaultFile = FINEPRINT_TEST_DATA "/../../configs/default.toml";

TEST(Options, NamesAreUnique) {
  std::set<std::string> kept;
  std::set<std::string_view> names, variables;
  for (const ProgramOption& option : options().all()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_TRUE(variables.insert(*kept.insert(settings::variable_of(option.name)).first).second)
        << option.name;
    EXPECT_EQ(options().find(option.name), &option);
  }
  EXPECT_EQ(options().find("nothing"), nullptr);
}

TEST(Options, OneLetterFlagsAreUniqueWithinACommand) {
  for (const Command& command : commands()) {
    std::set<std::string_view> letters = {"h"};
    for (const ProgramOption& option : options().all()) {
      if (option.facts.brief.empty() || !(option.commands & command.bit)) continue;
      EXPECT_EQ(option.facts.brief.size(), 1u) << option.name;
      EXPECT_TRUE(letters.insert(option.facts.brief).second)
          << command.name << " -" << option.facts.brief;
    }
  }
}

TEST(Options, NamesFitFlagsFilesAndTheEnvironment) {
  for (const ProgramOption& option : options().all()) {
    EXPECT_EQ(option.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-."),
              std::string::npos)
        << option.name;
  }
}

TEST(Options, EachIsExplainedAndBelongsSomewhere) {
  unsigned every_bit = 0;
  for (const Command& command : commands()) every_bit |= command.bit;
  for (const ProgramOption& option : options().all()) {
    EXPECT_FALSE(option.facts.help.empty()) << option.name;
    EXPECT_NE(option.commands & every_bit, 0u) << option.name;
    EXPECT_EQ(option.type == OptionType::boolean, option.facts.value.empty()) << option.name;
  }
}

TEST(Options, DefaultsPassTheirOwnChecks) {
  const Settings defaults(options());
  OptionTexts values;
  for (const ProgramOption& option : options().all()) {
    values[option.name] = option.type == OptionType::list ? defaults.list(option.name)
                                                          : std::vector{defaults.text(option.name)};
  }
  Settings settings(options());
  EXPECT_NO_THROW(settings.lay_over(values, "defaults"));
}

TEST(Options, HoldTheOptionsOfPipelines) {
  int count = 0;
  for (const pipelines::Pipeline& pipeline : pipelines::all()) {
    for (const Option& own : pipeline.options) {
      const ProgramOption* option = options().find(pipeline.info.name + "." + own.name);
      ASSERT_NE(option, nullptr) << own.name;
      EXPECT_EQ(option->initial, own.initial);
      EXPECT_EQ(option->facts.help, own.facts.help);
      const unsigned commands =
          pipeline.finding.rank == nullptr ? kAnsweringCommands : kSearchingCommands;
      EXPECT_EQ(option->commands, commands) << own.name;
      EXPECT_FALSE(option->facts.same_answers || option->facts.flag_only) << own.name;
      ++count;
    }
    for (const std::string& name : pipeline.reads) {
      EXPECT_NE(options().find(name), nullptr) << name;
    }
  }
  EXPECT_GT(count, 0);
  EXPECT_EQ(options().find("hkrag.iterations")->type, OptionType::integer);
  EXPECT_EQ(options().find("hkrag.judger-threshold")->type, OptionType::real);
  EXPECT_EQ(options().find("hkrag.no-pruner")->type, OptionType::boolean);
  EXPECT_EQ(options().find("answer-format")->choice_list(), "json|text");
  EXPECT_EQ(options().find_given("iterations", "a test"), options().find("hkrag.iterations"));
}

// What is left out here decides answers: a new option does until it is marked otherwise.
TEST(Options, FewOfBatchLeaveTheAnswersAlone) {
  const std::set<std::string_view> kNamed = {"store",
                                             "out",
                                             "password",
                                             "password-file",
                                             "cache-bytes",
                                             "prompt-lookup",
                                             "keep-states",
                                             "states-bytes",
                                             "api-key-file",
                                             "api-timeout",
                                             "api-connect-timeout",
                                             "api-retries",
                                             "trace",
                                             "workers",
                                             "shard",
                                             "retry-failed",
                                             "force",
                                             "fetch",
                                             "fetch-bytes",
                                             "fetch-file-bytes",
                                             "fetch-files",
                                             "device",
                                             "jobs",
                                             "json",
                                             "quiet",
                                             "verbose",
                                             "debug",
                                             "config",
                                             "libreoffice",
                                             "max-file-pages",
                                             "worker-memory",
                                             "worker-seconds",
                                             "html",
                                             "host",
                                             "port",
                                             "allowed-host",
                                             "token-file",
                                             "max-body",
                                             "max-upload",
                                             "at-once",
                                             "time-limit",
                                             "kept-answers",
                                             "pictures",
                                             "dpi",
                                             "sure",
                                             "proofs",
                                             "watch",
                                             "train.examples",
                                             "train.held-back",
                                             "train.save-every"};
  std::set<std::string_view> marked;
  for (const ProgramOption& option : options().all()) {
    if (option.facts.same_answers) marked.insert(option.name);
  }
  EXPECT_EQ(marked, kNamed);
}

TEST(Commands, EachHasAnExampleOfItself) {
  std::set<unsigned> bits;
  for (const Command& command : commands()) {
    // Those that tell about the program take no options.
    EXPECT_EQ(command.bit == 0, command.run == nullptr) << command.name;
    EXPECT_NE(command.run == nullptr, command.tell == nullptr) << command.name;
    if (command.bit != 0) {
      EXPECT_TRUE(bits.insert(command.bit).second) << command.name;
    }
    EXPECT_TRUE(command.example.starts_with("fineprint " + std::string(command.name)))
        << command.name;
    EXPECT_FALSE(command.summary.empty());
  }
}

TEST(DefaultConfiguration, IsTheFileInConfigs) {
  EXPECT_EQ(read_file(kDefaultFile), default_configuration())
      << "make it again: fineprint --print-defaults > configs/default.toml";
}

TEST(DefaultConfiguration, LoadsAndChangesNothing) {
  Settings settings(options());
  const std::string before = settings.to_json();
  settings.lay_over(settings::read_configuration(kDefaultFile, options()), "default.toml");
  EXPECT_EQ(settings.to_json(), before);
}

TEST(DefaultConfiguration, HoldsEveryKeyThatAFileMayHold) {
  const OptionTexts values = settings::read_configuration(kDefaultFile, options());
  for (const ProgramOption& option : options().all()) {
    EXPECT_EQ(values.contains(option.name), !option.facts.flag_only) << option.name;
  }
}

}  // namespace
}  // namespace fineprint::cli
