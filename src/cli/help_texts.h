// The texts of docs/help and docs/schemas, which are built into the program.
#pragma once

#include <span>
#include <string_view>

namespace fineprint::cli {

struct HelpText {
  std::string_view name;
  std::string_view text;
};

// Returns the topics of `fineprint help TOPIC`. The first line of each is its title.
std::span<const HelpText> help_topics();
// Returns the JSON Schemas of records, under the names that docs/formats.md uses.
std::span<const HelpText> record_schemas();

// Returns nullptr if there is no text of that name.
const HelpText* find_text(std::span<const HelpText> texts, std::string_view name);

}  // namespace fineprint::cli
