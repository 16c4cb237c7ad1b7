// Finds the files of prompts and splits them into parts.
#include "agents/prompt_file.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

#include "prompt_table.inc"

namespace fineprint::agents {
namespace {

constexpr std::array<std::string_view, 2> kHead = {"agent", "schema"};
constexpr std::array<std::string_view, 2> kBody = {"system", "user"};

template <std::size_t N>
bool names_one(const std::array<std::string_view, N>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Returns "user" for "[user]", or an empty name for a line that begins no part. The head ends at
// the first part of text, so that a prompt may mention "[schema]" in its text.
std::string_view part_begun(std::string_view line, bool in_head) {
  if (line.size() < 3 || line.front() != '[' || line.back() != ']') return {};
  const std::string_view name = line.substr(1, line.size() - 2);
  return names_one(kBody, name) || (in_head && names_one(kHead, name)) ? name : std::string_view{};
}

void begin_part(std::string_view name, int line, PromptFile* file) {
  const bool known = std::ranges::find(file->parts, name, &PromptPart::name) != file->parts.end();
  if (known) refuse(*file, format("the part [{}] occurs twice", name));
  file->parts.push_back({.name = std::string(name), .line = line, .text = {}});
}

}  // namespace

const PromptPart* PromptFile::part(std::string_view name) const {
  const auto found = std::ranges::find(parts, name, &PromptPart::name);
  return found == parts.end() || found->text.empty() ? nullptr : &*found;
}

std::string prompt_path(std::string_view name) {
  std::string path(name);
  // "NAME.ROLE" is the file NAME/ROLE.txt: each pipeline has a folder.
  const std::size_t point = path.find('.');
  if (point != std::string::npos) path[point] = '/';
  return path;
}

std::optional<PromptFile> own_prompt_file(const std::string& path, const std::string& folder) {
  if (folder.empty()) return std::nullopt;
  const std::string file = folder + "/" + path + ".txt";
  if (!std::filesystem::exists(file)) return std::nullopt;
  return PromptFile{.where = file, .text = read_file(file)};
}

std::optional<PromptFile> built_in_prompt_file(const std::string& path) {
  const auto* found = std::ranges::find(kEmbeddedPrompts, path, &EmbeddedPrompt::name);
  if (found == std::end(kEmbeddedPrompts)) return std::nullopt;
  return PromptFile{.where = format("the built-in prompt {}", path),
                    .text = std::string(found->text)};
}

std::optional<PromptFile> find_prompt_file(const std::string& path, const std::string& folder) {
  std::optional<PromptFile> own = own_prompt_file(path, folder);
  return own ? own : built_in_prompt_file(path);
}

PromptFile taken_apart(PromptFile file) {
  bool in_head = true;
  int number = 0;
  for (std::size_t at = 0; at < file.text.size();) {
    const std::size_t end = std::min(file.text.find('\n', at), file.text.size());
    const std::string line = file.text.substr(at, end - at);
    const std::string bare(trim(line));
    at = end + 1;
    ++number;
    if (const std::string_view name = part_begun(bare, in_head); !name.empty()) {
      begin_part(name, number + 1, &file);
      in_head = in_head && names_one(kHead, name);
    } else if (!file.parts.empty()) {
      std::string& text = file.parts.back().text;
      if (text.empty() && bare.empty()) {  // blank lines before the text
        ++file.parts.back().line;
      } else {
        text += line + "\n";
      }
    } else if (!bare.empty()) {
      refuse(file, "there is text before the first part; begin with [system] or [user]");
    }
  }
  // Blank lines between parts are for people and not part of a prompt.
  for (PromptPart& part : file.parts) part.text = std::string(trim(part.text));
  return file;
}

void refuse(const PromptFile& file, const std::string& why) {
  throw Error(ErrorCode::usage, format("{}: {}", file.where, why));
}

void refuse(const PromptFile& file, int line, const std::string& why) {
  throw Error(ErrorCode::usage, format("{}:{}: {}", file.where, line, why));
}

}  // namespace fineprint::agents
