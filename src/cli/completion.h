// Writes scripts that let a shell complete fineprint's command lines, from the tables of commands
// and options. One source file for each shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::cli {

// Returns "bash", "fish", "zsh".
std::vector<std::string> completion_shells();

// Throws Error(usage) with the list of shells if `shell` is not one of them.
std::string completion_script(std::string_view shell);

std::string bash_completion();
std::string fish_completion();
std::string zsh_completion();

}  // namespace fineprint::cli
