// The commands of the program. Each turns settings into calls, prints the result and returns an
// exit code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

int run_index(const Settings& settings);
int run_watch(const Settings& settings);
int run_list(const Settings& settings);
int run_remove(const Settings& settings);
int run_export(const Settings& settings);
int run_map(const Settings& settings);
int run_search(const Settings& settings);
int run_ask(const Settings& settings);
int run_chat(const Settings& settings);
int run_batch_command(const Settings& settings);
int run_table(const Settings& settings);
int run_merge(const Settings& settings);
int run_eval(const Settings& settings);
int run_bench(const Settings& settings);
int run_report(const Settings& settings);
int run_show(const Settings& settings);
int run_serve(const Settings& settings);
int run_mcp(const Settings& settings);
int run_train(const Settings& settings);
int run_pipelines(const Settings& settings);
int run_generate(const Settings& settings);
int run_embed(const Settings& settings);
int run_read(const Settings& settings);
int run_models(const Settings& settings);
int run_verify(const Settings& settings);
int run_doctor(const Settings& settings);
int run_stores(const Settings& settings);
int run_trust(const Settings& settings);

// Commands about the program itself. They take words as arguments and have no options.
int tell_help(const std::vector<std::string>& words);
int tell_completion(const std::vector<std::string>& words);
int tell_manual(const std::vector<std::string>& words);

struct Command {
  std::string_view name;
  unsigned bit = 0;            // see options.h; 0: no options
  std::string_view arguments;  // the positional arguments as --help shows them
  std::string_view summary;
  std::string_view example;
  int (*run)(const Settings&) = nullptr;
  int (*tell)(const std::vector<std::string>& words) = nullptr;  // used if `run` is null
};

const std::vector<Command>& commands();

// Returns, for example, "fineprint 0.1.0".
std::string program_version();

}  // namespace fineprint::cli
