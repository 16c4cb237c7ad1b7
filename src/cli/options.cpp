// The table of options: those of the rooms, the program's own, and those of the pipelines.
#include "cli/options.h"

#include <algorithm>
#include <cstddef>

#include "fineprint/core/format.h"
#include "fineprint/pipelines/pipeline.h"

#include "cli/guarded_options.h"
#include "cli/option_groups.h"

namespace fineprint::cli {
namespace {

void add_pipelines(OptionSet& set) {
  for (const pipelines::Pipeline& pipeline : pipelines::all()) {
    set.begin_section(format("Pipeline {}", pipeline.info.name));
    const bool finds = pipeline.finding.rank != nullptr;
    set.add(pipeline.options, finds ? kSearchingCommands : kAnsweringCommands, {},
            pipeline.info.name);
  }
}

// The sections of help, in their order.
struct Section {
  std::string_view heading;
  void (*add)(OptionSet&);
};
constexpr Section kSections[] = {{"Input and output", add_what_to_work_on},
                                 {"Benchmarks", add_benchmarks},
                                 {"Removing stores", add_cleaning},
                                 {"Trusted files", add_trusting},
                                 {"Models", add_what_models_are_given},
                                 {"Prefix cache", add_what_is_kept},
                                 {"Replies", add_writing},
                                 {"Model servers", add_servers},
                                 {"Documents elsewhere", add_fetching},
                                 {"Reading documents", add_reading},
                                 {"Vectors", add_embedding},
                                 {"Finding pages", add_finding},
                                 {"Training", add_training},
                                 {"Formats", add_printing},
                                 {"Reports and pictures", add_showing},
                                 {"Tables", add_tables},
                                 {"Serving", add_serving},
                                 {"Answering", add_answering},
                                 {"The machine", add_machine},
                                 {"Messages", add_saying},
                                 {"Pipelines", add_pipelines}};

// The options that most people need, for commands that have many options.
struct Common {
  std::string_view name;
  unsigned commands = 0;
};
constexpr unsigned kAsked = kAnsweringCommands;
constexpr unsigned kMany = kIndex | kSearchingCommands | kGenerate;
constexpr Common kCommon[] = {{"store", kMany & ~kGenerate},
                              {"out", kBatch | kTable | kBench},
                              {"sure", kTable},
                              {"proofs", kTable},
                              {"watch", kTable},
                              {"data", kBench},
                              {"subset", kBench},
                              {"all-pool", kBench},
                              {"judge", kBench},
                              {"judge-kind", kBench},
                              {"sample", kBench},
                              {"experiment", kBench},
                              {"list-experiments", kBench},
                              {"experiment-model", kBench},
                              {"partial", kBench},
                              {"compare", kBench},
                              {"split", kBench},
                              {"questions", kSearch},
                              {"generator", kAsked | kGenerate},
                              {"pipeline", kAsked},
                              {"retriever", kIndex | kBench},
                              {"image", kGenerate | kAsk | kSearch},
                              {"system", kGenerate},
                              {"schema", kGenerate},
                              {"choose", kGenerate},
                              {"max-new-tokens", kGenerate},
                              {"temperature", kGenerate},
                              {"ocr", kIndex | kAsk | kChat | kTable},
                              {"password", kIndex | kAsk | kChat | kTable},
                              {"prune", kIndex},
                              {"map", kIndex | kBench},
                              {"verify", kIndex},
                              {"dry-run", kIndex},
                              {"repair", kIndex},
                              {"scorer", kSearchingCommands},
                              {"k", kSearchingCommands},
                              {"doc", kSearch | kAsk | kChat | kBatch | kTable},
                              {"since", kSearch},
                              {"kind", kSearch},
                              {"explain", kSearch},
                              {"html", kAsk},
                              {"format", kSearch},
                              {"workers", kBatch | kTable | kBench},
                              {"shard", kBatch | kTable | kBench},
                              {"retry-failed", kBatch | kTable | kBench},
                              {"host", kServe},
                              {"port", kServe},
                              {"token-file", kServe},
                              {"at-once", kServingCommands},
                              {"time-limit", kServingCommands},
                              {"json", kMany},
                              {"quiet", kMany},
                              {"verbose", kMany},
                              {"config", kMany}};

// Returns whether the command has so few options that all fit under one heading.
bool has_few(unsigned command) {
  constexpr std::ptrdiff_t kFew = 16;
  return std::ranges::count_if(options().all(), [&](const ProgramOption& option) {
           return (option.commands & command) != 0;
         }) <= kFew;
}

constexpr std::string_view kDefaultsHead =
    "# Every key that configuration files may contain, with its default.\n"
    "# Precedence: flags, FINEPRINT_* in the environment, --config FILE, ./fineprint.toml,\n"
    "# fineprint/config.toml in the user's configuration folder, the preset that `pipeline` names\n"
    "# (NAME.toml next to this file; for commands that answer), these defaults.\n"
    "# Settings of a pipeline are named NAME.KEY; KEY alone is enough if only one pipeline has "
    "it.\n";

}  // namespace

const OptionSet& options() {
  static const OptionSet all = [] {
    OptionSet set;
    for (const Section& section : kSections) {
      set.begin_section(section.heading);
      section.add(set);
    }
    guard_options(set);
    return set;
  }();
  return all;
}

std::string_view heading(const ProgramOption& option, unsigned command) {
  const bool common = has_few(command) || std::ranges::any_of(kCommon, [&](const Common& one) {
                        return one.name == option.name && (one.commands & command);
                      });
  return common ? kCommonHeading : std::string_view(option.section);
}

std::string default_configuration() {
  return settings::default_configuration(options(), kDefaultsHead);
}

}  // namespace fineprint::cli
