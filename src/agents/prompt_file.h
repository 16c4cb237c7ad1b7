// The file of a prompt, split into its parts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::agents {

// The lines that follow a line like "[user]".
struct PromptPart {
  std::string name;  // "agent", "schema", "system" or "user"
  int line = 0;      // line of the file, from 1, where the text begins
  std::string text;  // without surrounding white space
};

// [agent] and [schema] are the head. After [system] or [user], a line like these is text.
struct PromptFile {
  std::string where;  // for messages: its path, or "the built-in prompt NAME/ROLE"
  std::string text;
  std::vector<PromptPart> parts = {};

  // Returns the part of this name, or nullptr if it is missing or empty.
  const PromptPart* part(std::string_view name) const;
};

// Returns "NAME/ROLE" for "NAME.ROLE".
std::string prompt_path(std::string_view name);
// Return FOLDER/NAME/ROLE.txt and the built-in file, not split yet, or nullopt if there is no such
// file. `path` is "NAME/ROLE".
std::optional<PromptFile> own_prompt_file(const std::string& path, const std::string& folder);
std::optional<PromptFile> built_in_prompt_file(const std::string& path);
// Returns the user's file if there is one, otherwise the built-in file.
std::optional<PromptFile> find_prompt_file(const std::string& path, const std::string& folder);

// Returns the file with its parts filled in. Throws Error(usage) if it has another form.
PromptFile taken_apart(PromptFile file);

// Throw Error(usage) that names the file, and the line.
[[noreturn]] void refuse(const PromptFile& file, const std::string& why);
[[noreturn]] void refuse(const PromptFile& file, int line, const std::string& why);

}  // namespace fineprint::agents
