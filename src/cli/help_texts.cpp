// The texts of docs/help and docs/schemas, which are built in.
#include "cli/help_texts.h"

#include <algorithm>

namespace fineprint::cli {

#include "help_texts.inc"

std::span<const HelpText> help_topics() { return kEmbeddedTopics; }

std::span<const HelpText> record_schemas() { return kEmbeddedSchemas; }

const HelpText* find_text(std::span<const HelpText> texts, std::string_view name) {
  const auto found = std::ranges::find(texts, name, &HelpText::name);
  return found == texts.end() ? nullptr : &*found;
}

}  // namespace fineprint::cli
