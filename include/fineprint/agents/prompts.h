// Loads prompts of agents, texts with named gaps, and fills the gaps.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::agents {

// The prompt of an agent. The system part precedes the pages and has no gaps, so that all calls of
// a pipeline begin alike and a page is read once for all its agents (prefix cache). The user part
// follows the pages.
struct PromptText {
  std::string name;  // "NAME.ROLE"
  std::string system;
  std::string user;
};

// Reads the prompt "NAME.ROLE": FOLDER/NAME/ROLE.txt if it exists, otherwise the prompt that was
// built in from configs/prompts. The file has the lines "[system]" and "[user]", each followed by
// its part, and may have a head before them (see load_agent). If it has no system part, the text of
// NAME/system.txt is used, found in the same way. An empty `folder` means the built-in prompts.
//
// A gap is {name}, with a name of lower-case letters and '_'; other braces are text. Throws
// Error(usage) naming file and gap if a gap is not in `gaps` or is in the system part, and if a
// file has another form, the folder does not exist, or the prompt is found nowhere.
PromptText load_prompt(std::string_view name, std::span<const std::string> gaps,
                       const std::string& folder = {});

// What fills a gap. `data` is true for everything that was read from pages, or that a model wrote
// about them; data is quoted by as_data().
struct Value {
  std::string name;
  std::string text;
  bool data = true;
  std::vector<std::size_t> ends = {};  // bytes where items of a list end; not for data
};

// Returns the text with "| " before each line. The prompts declare such lines to be material and
// never an instruction, and nothing inside can end such a quotation: everything that any reader
// might take for the end of a line ends one, and control characters are dropped. For example,
// "a\n[user]" becomes "| a\n| [user]". Returns "(none)" if no line is left.
std::string as_data(std::string_view text);

// A filled user part.
struct Filled {
  std::string text;
  // Byte positions, ascending: where gaps begin, and where items of a list in a gap end.
  std::vector<std::size_t> ends;
};

// Fills the gaps of the user part, with data quoted. Values are not searched for gaps, so that a
// page cannot ask for another value. Throws Error(internal) if a gap has no value.
Filled filled(const PromptText& prompt, std::span<const Value> values);

}  // namespace fineprint::agents
