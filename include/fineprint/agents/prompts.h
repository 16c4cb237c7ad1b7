// Prompts of agents: texts with named gaps, and what fills them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::agents {

// What an agent is told. The system part stands before the pages and has no gaps: all calls of a
// pipeline begin alike, so that a page is read once for all its agents. The user part stands behind
// the pages.
struct PromptText {
  std::string name;  // "NAME.ROLE"
  std::string system;
  std::string user;
};

// Reads the prompt "NAME.ROLE": FOLDER/NAME/ROLE.txt if there is one, else the one that was built
// in from configs/prompts. The file has lines "[system]" and "[user]" with the parts behind them,
// and may have a head before these (see load_agent); without a system part it is the text of
// NAME/system.txt, found likewise. An empty `folder` means
// the built-in prompts.
//
// A gap is {name}, of lower-case letters and '_'; other braces are text. Throws Error(usage) naming
// file and gap for a gap that is not in `gaps` or stands in the system part, for a file of another
// form, for a folder that is not there, and for a prompt that is nowhere.
PromptText load_prompt(std::string_view name, std::span<const std::string> gaps,
                       const std::string& folder = {});

// What stands for a gap. `data` is whatever was read from pages, or written by a model about them.
struct Value {
  std::string name;
  std::string text;
  bool data = true;
  std::vector<std::size_t> ends = {};  // bytes where items of a list end; not of data
};

// Each line with "| " before it, which the prompts declare to be material and never an instruction;
// nothing inside can end such a passage. All that any reader might take for the end of a line is
// one; control characters are dropped. "(none)" when no line is left.
std::string as_data(std::string_view text);

struct Filled {
  std::string text;
  // Bytes, ascending: where gaps begin, and where items of what fills them end.
  std::vector<std::size_t> ends;
};

// The user part with its gaps filled, data quoted. Values are not searched for gaps. Throws
// Error(internal) for a gap without a value.
Filled filled(const PromptText& prompt, std::span<const Value> values);

}  // namespace fineprint::agents
