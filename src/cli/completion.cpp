// The shells that have a completion script.
#include "cli/completion.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::cli {
namespace {

struct Shell {
  std::string_view name;
  std::string (*script)();
};
constexpr Shell kShells[] = {
    {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};

}  // namespace

std::vector<std::string> completion_shells() {
  std::vector<std::string> names;
  for (const Shell& shell : kShells) names.emplace_back(shell.name);
  return names;
}

std::string completion_script(std::string_view name) {
  const auto* found = std::ranges::find(kShells, name, &Shell::name);
  if (found == std::end(kShells)) {
    throw Error(ErrorCode::usage,
                format("there is no completion for \"{}\"; choose one of: bash, fish, zsh", name));
  }
  return found->script();
}

}  // namespace fineprint::cli
