// Looks in the program's folder, and then where an installation puts libraries.
#include "fineprint/core/own_library.h"

#include <filesystem>

#include "fineprint/core/running_program.h"

namespace fineprint {

std::string own_library_path(std::string_view file) {
  const std::filesystem::path folder = std::filesystem::path(program_path()).parent_path();
  const std::filesystem::path installed = folder.parent_path() / "lib/fineprint" / file;
  std::error_code ignored;
  // The build folder comes first, so that a fresh build does not load an installed, older library.
  const bool is_built = std::filesystem::exists(folder / file, ignored);
  if (!is_built && std::filesystem::exists(installed, ignored)) return installed.string();
  return (folder / file).string();
}

}  // namespace fineprint
