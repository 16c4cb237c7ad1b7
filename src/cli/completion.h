// Scripts that have a shell complete fineprint's command lines, made of the tables of commands and
// options. A file for each shell writes it in that shell's words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::cli {

// "bash", "fish", "zsh".
std::vector<std::string> completion_shells();

// Throws Error(usage) for another shell, listing these.
std::string completion_script(std::string_view shell);

std::string bash_completion();
std::string fish_completion();
std::string zsh_completion();

}  // namespace fineprint::cli
