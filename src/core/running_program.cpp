// Reads the kernel's link to the running file. If the file is a loader, the program is what it
// runs.
#include "fineprint/core/running_program.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <sys/auxv.h>
#include <sys/prctl.h>

#include "fineprint/core/error.h"

namespace fineprint {
namespace {

constexpr const char* kRunningFile = "/proc/self/exe";

std::string running_file() {
  std::error_code error;
  const auto path = std::filesystem::read_symlink(kRunningFile, error);
  if (error) {
    throw Error(ErrorCode::internal,
                "cannot read /proc/self/exe: " + error.message() + "; is /proc mounted?");
  }
  return path.string();
}

bool is_loader(const std::string& file) {
  return std::filesystem::path(file).filename().string().starts_with("ld-linux");
}

// A loader that is run as a program enters the file that it loads here.
std::string loaded_file() {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel's interface
  const auto* file = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
  return std::filesystem::absolute(file == nullptr ? "" : file).lexically_normal().string();
}

}  // namespace

std::string program_path() {
  const std::string file = running_file();
  return is_loader(file) ? loaded_file() : file;
}

std::vector<std::string> program_command() {
  const std::string file = running_file();
  if (!is_loader(file)) return {kRunningFile};
  std::string folders = std::filesystem::path(file).parent_path().string();
  // The option takes the place of this variable.
  const char* more = std::getenv("LD_LIBRARY_PATH");
  if (more != nullptr && *more != '\0') folders += std::string(":") + more;
  return {kRunningFile, "--library-path", folders, loaded_file()};
}

void take_program_name() { prctl(PR_SET_NAME, "fineprint"); }

}  // namespace fineprint
