// The file of a prompt, taken apart.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::agents {

// A run of lines behind a line like "[user]".
struct PromptPart {
  std::string name;  // "agent", "schema", "system" or "user"
  int line = 0;      // of the file, from 1 on: where the text begins
  std::string text;  // without blanks around it
};

// [agent] and [schema] are the head; a line like these behind [system] or [user] is text.
struct PromptFile {
  std::string where;  // for messages: its path, or "the built-in prompt NAME/ROLE"
  std::string text;
  std::vector<PromptPart> parts = {};

  // nullptr when there is none, or nothing stands in it.
  const PromptPart* part(std::string_view name) const;
};

// "NAME/ROLE" of "NAME.ROLE".
std::string prompt_path(std::string_view name);
// The text alone of FOLDER/NAME/ROLE.txt, and of the one that is built in; nullopt when there is
// none. `path` is "NAME/ROLE".
std::optional<PromptFile> own_prompt_file(const std::string& path, const std::string& folder);
std::optional<PromptFile> built_in_prompt_file(const std::string& path);
// The first of these that there is.
std::optional<PromptFile> find_prompt_file(const std::string& path, const std::string& folder);

// Fills in the parts. Throws Error(usage) for a file of another form.
PromptFile taken_apart(PromptFile file);

// Throw Error(usage) naming the file, and the line.
[[noreturn]] void refuse(const PromptFile& file, const std::string& why);
[[noreturn]] void refuse(const PromptFile& file, int line, const std::string& why);

}  // namespace fineprint::agents
