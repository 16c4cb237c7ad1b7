// Texts that the program carries for those who ask about it: docs/help and docs/schemas, built in.
#pragma once

#include <span>
#include <string_view>

namespace fineprint::cli {

struct HelpText {
  std::string_view name;
  std::string_view text;
};

// What `fineprint help TOPIC` tells beside commands. The first line of each is its title.
std::span<const HelpText> help_topics();
// The JSON Schemas of the records that go in and out, by the names that docs/formats.md has.
std::span<const HelpText> record_schemas();

// nullptr when there is none.
const HelpText* find_text(std::span<const HelpText> texts, std::string_view name);

}  // namespace fineprint::cli
