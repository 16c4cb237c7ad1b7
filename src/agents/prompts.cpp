// Finds prompts and checks their gaps.
#include "fineprint/agents/prompts.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "agents/gaps.h"
#include "agents/prompt_file.h"

namespace fineprint::agents {
namespace {

void check_gaps(const PromptFile& file, std::string_view text, std::span<const std::string> gaps) {
  for (const Gap& gap : find_gaps(text)) {
    if (std::ranges::find(gaps, gap.name) != gaps.end()) continue;
    std::string known;
    for (const std::string& name : gaps) known += (known.empty() ? "{" : ", {") + name + "}";
    refuse(file, format("unknown gap {{{}}}; allowed here: {}", gap.name,
                        known.empty() ? "none" : known));
  }
}

}  // namespace

PromptText load_prompt(std::string_view name, std::span<const std::string> gaps,
                       const std::string& folder) {
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw Error(ErrorCode::usage, format("{}: this folder of prompts does not exist", folder));
  }
  const std::string path = prompt_path(name);
  std::optional<PromptFile> source = find_prompt_file(path, folder);
  if (!source) {
    throw Error(ErrorCode::usage, format("there is no prompt {}; write it to {}.txt", name, path));
  }
  const PromptFile file = taken_apart(*std::move(source));
  const PromptPart* user = file.part("user");
  if (user == nullptr) refuse(file, "the part [user] is missing or empty");
  check_gaps(file, user->text, gaps);
  PromptText prompt{.name = std::string(name), .system = {}, .user = user->text};
  if (const PromptPart* system = file.part("system")) {
    prompt.system = system->text;
    // No gap is allowed in the system part: it is the beginning that all calls of an agent share,
    // and that the prefix cache keeps.
    check_gaps(file, prompt.system, {});
    return prompt;
  }
  // Agents of one pipeline may share a system part, which is then a file of its own in their
  // folder.
  const auto shared = find_prompt_file(path.substr(0, path.find('/')) + "/system", folder);
  if (!shared) refuse(file, "the part [system] is missing, and its folder has no system.txt");
  prompt.system = trim(shared->text);
  check_gaps(*shared, prompt.system, {});
  return prompt;
}

}  // namespace fineprint::agents
