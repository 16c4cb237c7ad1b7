// Derives what a command line may contain from the tables of commands and options.
#include "cli/command_words.h"

#include <algorithm>
#include <cstddef>
#include <span>

#include "fineprint/answering/presets.h"
#include "fineprint/bench/benchmark.h"
#include "fineprint/core/format.h"
#include "fineprint/metrics/scorer.h"
#include "fineprint/retrieve/search.h"

#include "cli/completion.h"
#include "cli/experiment_runs.h"
#include "cli/help_texts.h"

namespace fineprint::cli {
namespace {

using Words = std::vector<std::string>;

// Variants come after presets, because presets are what most people look for.
Words all_presets() {
  Words names = answering::preset_names();
  const Words variants = answering::variant_names();
  names.insert(names.end(), variants.begin(), variants.end());
  return names;
}

Words answer_scorers() {
  Words names;
  for (const metrics::Scorer* scorer : metrics::scorers()) names.push_back(scorer->name());
  return names;
}

Words benchmarks() {
  Words names;
  for (const bench::BenchmarkName& known : bench::benchmark_names()) names.emplace_back(known.name);
  return names;
}

Words documented_commands() {
  Words names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

// Values of options that accept other values, too, or whose values are listed elsewhere.
struct NamedWords {
  std::string_view option;
  Words (*words)();
};
constexpr NamedWords kWordsOfOptions[] = {{"pipeline", all_presets},
                                          {"gate", all_presets},
                                          {"scorer", retrieve::scorer_names},
                                          {"scored-by", answer_scorers},
                                          {"experiment", experiment_names},
                                          {"device", [] { return Words{"auto", "cpu", "cuda"}; }},
                                          {"map", [] { return Words{"heuristic"}; }},
                                          {"rerank", [] { return Words{"reader", "none"}; }},
                                          {"qa", [] { return Words{"reader", "none"}; }},
                                          {"qa-model", [] { return Words{"reader"}; }},
                                          {"libreoffice", [] { return Words{"auto", "never"}; }},
                                          {"shard", [] { return Words{"slurm"}; }}};

constexpr NamedWords kWordsOfArguments[] = {{"bench", benchmarks},
                                            {"completion", completion_shells},
                                            {"man", documented_commands},
                                            {"help", help_subjects}};

Words words_in(std::span<const NamedWords> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &NamedWords::option);
  return found == table.end() ? Words{} : found->words();
}

// Decides by the placeholder in help, for example DIR, so that options need no second declaration.
KnownValue::Files kind_of_files(std::string_view value) {
  if (value == "DIR" || value == "FOLDER") return KnownValue::Files::folders;
  if (value == "FILE" || value == "MODEL" || value == "PROGRAM" || value == "JSON") {
    return KnownValue::Files::any;
  }
  return KnownValue::Files::none;
}

}  // namespace

// Reads the same table as --help, so that completion and manual pages cannot differ from it.
std::vector<Flag> flags_of(const Command& command) {
  std::vector<Flag> flags;
  for (const ProgramOption& option : options().all()) {
    if ((option.commands & command.bit) == 0) continue;
    Flag flag{.option = &option};
    flag.name = names_of(option).front();
    if (const std::string brief(option.facts.brief); !brief.empty() && option.name != brief) {
      flag.brief = "-" + brief;
    }
    flag.repeats = option.type == OptionType::list || (option.several & command.bit) != 0;
    flag.is_common = heading(option, command.bit) == kCommonHeading;
    flag.takes_value = option.type != OptionType::boolean;
    flags.push_back(std::move(flag));
  }
  return flags;
}

// The first name is the one that --help shows.
std::vector<std::string> names_of(const ProgramOption& option) {
  const std::string brief(option.facts.brief), bare(settings::bare_name(option.name));
  // An option of one letter, as -k, has no long form.
  if (option.name == brief) return {"-" + brief};
  Words names = {"--" + (option.flag.empty() ? option.name : option.flag)};
  // The bare name of a pipeline's option, --iterations for --hkrag.iterations.
  if (option.flag.empty() && bare != option.name) names.push_back("--" + bare);
  if (!brief.empty()) names.push_back("-" + brief);
  return names;
}

KnownValue known_value(const ProgramOption& option) {
  KnownValue value;
  value.words = option.choices.empty() ? words_in(kWordsOfOptions, option.name) : option.choices;
  // Completion must go on after a comma in such values.
  value.joined = option.name == "scorer" || option.several != 0;
  value.files = kind_of_files(option.facts.value);
  return value;
}

KnownValue known_arguments(const Command& command) {
  KnownValue value;
  value.words = words_in(kWordsOfArguments, command.name);
  // The table of commands lists alternatives for --help already: "bash|fish|zsh".
  if (value.words.empty() && command.arguments.find('|') != std::string_view::npos) {
    value.words = split_texts(command.arguments, '|');
  }
  if (value.words.empty() && !command.arguments.empty()) value.files = KnownValue::Files::any;
  return value;
}

std::vector<std::string> help_subjects() {
  Words names = documented_commands();
  for (const HelpText& topic : help_topics()) {
    // `models` and `pipelines` are commands and topics; each word is offered once.
    if (std::ranges::find(names, topic.name) == names.end()) names.emplace_back(topic.name);
  }
  return names;
}

// Help strings begin with a clause that makes sense alone, up to the first of these characters.
std::string brief_help(const ProgramOption& option) {
  constexpr std::size_t kMost = 70;
  std::string help(option.facts.help.substr(0, option.facts.help.find_first_of(":;(")));
  // Cut at a blank, so that no word is broken.
  if (help.size() > kMost) help.resize(help.rfind(' ', kMost));
  while (!help.empty() && (help.back() == ' ' || help.back() == ',')) help.pop_back();
  return help;
}

}  // namespace fineprint::cli
