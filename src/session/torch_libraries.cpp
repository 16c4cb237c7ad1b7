// Opens the libraries of networks when a command first needs one.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include <dlfcn.h>
#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/own_library.h"
#include "fineprint/serving/texts_library.h"
#include "fineprint/session/load.h"

namespace fineprint::session {
namespace {

// LibTorch, as pip installs it for ARM, uses atomic instructions of ARMv8.1 without a check. On an
// older processor the program would be ended by a signal at its first product. The library of text
// encoders does without LibTorch.
void check_processor([[maybe_unused]] std::string_view library) {
#if defined(__aarch64__)
  if (library == serving::kTextsLibrary || (getauxval(AT_HWCAP) & HWCAP_ATOMICS) != 0) return;
  throw Error(
      ErrorCode::model,
      "this processor cannot run LibTorch, which computes all networks but text encoders in 8 "
      "bits: it lacks the atomic instructions of ARMv8.1 (LSE), as Cortex-A72 and older ones do; "
      "use only encoders such as int8: (the default) here, or a newer processor");
#endif
}

const serving::NetsTable* open_nets_library() {
  const std::string path = own_library_path(serving::kNetsLibrary);
  if (!has_nets()) {
    throw Error(ErrorCode::model,
                format("this build has no networks' library ({} does not exist): build with "
                       "-DFINEPRINT_NETS=ON (scripts/fineprint does), or use --scorer bm25",
                       path));
  }
  return static_cast<const serving::NetsTable*>(
      open_library(serving::kNetsLibrary, serving::kNetsEntry, serving::kNetsInterface));
}

}  // namespace

const void* open_library(const char* name, const char* entry, std::uint64_t interface) {
  const std::string path = own_library_path(name);
  std::error_code ignored;
  check_processor(name);
  // A build leaves the library of trainings out until a command needs it.
  if (!std::filesystem::exists(path, ignored)) {
    throw Error(ErrorCode::model,
                format("{} does not exist: run this command by scripts/fineprint, which builds "
                       "what a command needs, or install fineprint again",
                       path));
  }
  // Lazy, because LibTorch has tens of thousands of symbols that one model never calls. Deep,
  // because the program has the system's slow BLAS in its global scope (OpenCV's LAPACK brings it).
  // Without RTLD_DEEPBIND, LibTorch's matrix products would use that one: the same numbers at a
  // tenth of the speed.
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) {
    throw Error(ErrorCode::model, format("cannot open {}: {}; install fineprint again, or build it "
                                         "with scripts/fineprint",
                                         path, dlerror()));
  }
  void* function = dlsym(library, entry);
  if (function == nullptr) {
    throw Error(ErrorCode::model,
                format("{} is not a library of this program: {}; "
                       "install fineprint again, or build it with scripts/fineprint",
                       path, dlerror()));
  }
  const void* table = reinterpret_cast<LibraryEntry*>(function)(interface);
  if (table == nullptr) {
    throw Error(ErrorCode::model, format("{} belongs to another build of this program; install "
                                         "fineprint again, or build it with scripts/fineprint",
                                         path));
  }
  return table;
}

bool has_nets() {
  std::error_code ignored;
  return std::filesystem::exists(own_library_path(serving::kNetsLibrary), ignored);
}

// A static: the library is opened once, and a failure is tried again at the next call.
const serving::NetsTable& nets() {
  static const serving::NetsTable* const kOpened = open_nets_library();
  return *kOpened;
}

}  // namespace fineprint::session
