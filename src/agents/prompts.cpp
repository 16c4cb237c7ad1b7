// Finds prompts, takes them apart and checks their gaps.
#include "fineprint/agents/prompts.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

#include "agents/gaps.h"
#include "agents/trimmed.h"
#include "prompt_table.inc"

namespace fineprint::agents {
namespace {

constexpr std::string_view kSystem = "[system]", kUser = "[user]";

struct Source {
  std::string where;  // for messages
  std::string text;
};

[[noreturn]] void refuse(const Source& source, const std::string& why) {
  throw Error(ErrorCode::usage, format("{}: {}", source.where, why));
}

// `path` is "NAME/ROLE".
std::optional<Source> find_source(const std::string& path, const std::string& folder) {
  if (!folder.empty()) {
    const std::string file = folder + "/" + path + ".txt";
    if (std::filesystem::exists(file)) return Source{file, read_file(file)};
  }
  const auto* found = std::ranges::find(kEmbeddedPrompts, path, &EmbeddedPrompt::name);
  if (found == std::end(kEmbeddedPrompts)) return std::nullopt;
  return Source{format("the built-in prompt {}", path), std::string(found->text)};
}

PromptText take_apart(const std::string& name, const Source& source) {
  PromptText prompt;
  prompt.name = name;
  std::string* part = nullptr;
  for (std::size_t at = 0; at < source.text.size();) {
    const std::size_t end = std::min(source.text.find('\n', at), source.text.size());
    const std::string line = source.text.substr(at, end - at);
    const std::string head = trimmed(line);
    at = end + 1;
    if (head == kSystem || head == kUser) {
      part = head == kSystem ? &prompt.system : &prompt.user;
      if (!part->empty()) refuse(source, format("it has two parts {}", head));
    } else if (part != nullptr) {
      *part += line + "\n";
    } else if (!head.empty()) {
      refuse(source, "a line stands before [system] and [user]");
    }
  }
  prompt.system = trimmed(prompt.system);
  prompt.user = trimmed(prompt.user);
  if (prompt.user.empty()) refuse(source, "the part [user] is missing or empty");
  return prompt;
}

void check_gaps(const Source& source, std::string_view text, std::span<const std::string> gaps) {
  for (const Gap& gap : find_gaps(text)) {
    if (std::ranges::find(gaps, gap.name) != gaps.end()) continue;
    std::string known;
    for (const std::string& name : gaps) known += (known.empty() ? "{" : ", {") + name + "}";
    refuse(source, format("{{{}}} is not known here; in this place may stand: {}", gap.name,
                          known.empty() ? "none" : known));
  }
}

}  // namespace

PromptText load_prompt(std::string_view name, std::span<const std::string> gaps,
                       const std::string& folder) {
  if (!folder.empty() && !std::filesystem::is_directory(folder)) {
    throw Error(ErrorCode::usage, format("{}: no such folder of prompts", folder));
  }
  std::string path(name);
  const std::size_t point = path.find('.');
  if (point != std::string::npos) path[point] = '/';
  const std::optional<Source> source = find_source(path, folder);
  if (!source) {
    throw Error(ErrorCode::usage, format("there is no prompt {}; write it as {}.txt", name, path));
  }
  PromptText prompt = take_apart(std::string(name), *source);
  check_gaps(*source, prompt.user, gaps);
  std::optional<Source> system = source;
  if (prompt.system.empty()) {
    system = find_source(path.substr(0, path.find('/')) + "/system", folder);
    if (!system) refuse(*source, "it has no part [system], and there is no system.txt beside it");
    prompt.system = trimmed(system->text);
  }
  check_gaps(*system, prompt.system, {});
  return prompt;
}

}  // namespace fineprint::agents
