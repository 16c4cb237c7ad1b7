// Opens the library of scoring kernels the first time that somebody would use a GPU.
#include "fineprint/session/score_library.h"

#include <filesystem>
#include <string>

#include <dlfcn.h>

#include "fineprint/core/files.h"
#include "fineprint/core/log.h"

namespace fineprint::session {
namespace {

const score::CudaTable* unusable(const std::string& path, const std::string& why) {
  log::warn("{} is not used: {}; build again with scripts/fineprint", path, why);
  return nullptr;
}

const score::CudaTable* open_score_library() {
  const std::filesystem::path dir = std::filesystem::path(program_path()).parent_path();
  const std::string path = (dir / score::kCudaLibrary).string();
  std::error_code ignored;
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
