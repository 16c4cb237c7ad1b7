// The options of --help's sections, which options.cpp puts into one table: those of the rooms, and
// the program's own. Each function adds one section.
#pragma once

#include <string_view>

#include "cli/options.h"

namespace fineprint::cli {

// Makes an option of the program itself. `choices` are separated by '|'.
ProgramOption program_option(std::string_view name, OptionType type, unsigned commands,
                             const OptionFacts& facts, std::string_view initial = {},
                             std::string_view choices = {});

// Sections of documents, searches, answers and printing, in option_groups.cpp.
void add_what_to_work_on(OptionSet& set);
void add_benchmarks(OptionSet& set);
void add_cleaning(OptionSet& set);
void add_trusting(OptionSet& set);
void add_fetching(OptionSet& set);
void add_reading(OptionSet& set);
void add_embedding(OptionSet& set);
void add_finding(OptionSet& set);
void add_showing(OptionSet& set);
void add_tables(OptionSet& set);
void add_printing(OptionSet& set);
void add_serving(OptionSet& set);
void add_answering(OptionSet& set);
void add_machine(OptionSet& set);
void add_saying(OptionSet& set);

// Sections of models and their training, in model_option_groups.cpp.
void add_what_models_are_given(OptionSet& set);
void add_what_is_kept(OptionSet& set);
void add_writing(OptionSet& set);
void add_servers(OptionSet& set);
void add_training(OptionSet& set);

}  // namespace fineprint::cli
