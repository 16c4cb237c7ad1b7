// Opens the library of GPU scoring kernels the first time that it is needed.
#include "fineprint/session/score_library.h"

#include <filesystem>
#include <string>

#include <dlfcn.h>

#include "fineprint/core/log.h"
#include "fineprint/core/own_library.h"

namespace fineprint::session {
namespace {

// Warns and goes on: everything also runs on the CPU.
const score::CudaTable* unusable(const std::string& path, const std::string& why) {
  log::warn("{} is not used: {}; install fineprint again, or build it with scripts/fineprint", path,
            why);
  return nullptr;
}

const score::CudaTable* open_score_library() {
  const std::string path = own_library_path(score::kCudaLibrary);
  std::error_code ignored;
  // A build without CUDA has no such file, which is no reason for a warning.
  if (!std::filesystem::exists(path, ignored)) return nullptr;
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return unusable(path, dlerror());
  void* function = dlsym(library, score::kCudaEntry);
  if (function == nullptr) return unusable(path, dlerror());
  const score::CudaTable* table =
      reinterpret_cast<score::CudaEntry*>(function)(score::kCudaInterface);
  if (table == nullptr) return unusable(path, "it belongs to another build of this program");
  return table->device_count() > 0 ? table : nullptr;
}

}  // namespace

const score::CudaTable* cuda_scoring() {
  static const score::CudaTable* const table = open_score_library();
  return table;
}

}  // namespace fineprint::session
