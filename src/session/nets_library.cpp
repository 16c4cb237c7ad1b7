// Opens the networks' library the first time that a command needs a network.
#include "session/nets_library.h"

#include <filesystem>
#include <string>

#include <dlfcn.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

namespace fineprint::session {
namespace {

models::LoadSentenceEncoder* open_beside_program() {
  const std::filesystem::path dir = std::filesystem::path(program_path()).parent_path();
  const std::string path = (dir / models::kNetsLibrary).string();
  if (!std::filesystem::exists(path)) {
    throw Error(ErrorCode::model,
                format("this build has no networks' library ({} does not exist): build with "
                       "-DFINEPRINT_NETS=ON (scripts/fineprint does), or use --scorer bm25",
                       path));
  }
  // Lazy: LibTorch has tens of thousands of symbols that one model never calls. Deep: the program
  // has the system's slow BLAS in its global scope (OpenCV's LAPACK brings it), and without this
  // LibTorch's matrix products would be bound to that one: the same numbers at a tenth of the
  // speed.
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == nullptr) {
    throw Error(ErrorCode::model, format("cannot open the networks' library: {}; build again with "
                                         "scripts/fineprint",
                                         dlerror()));
  }
  void* function = dlsym(library, models::kLoadSentenceEncoder);
  if (function == nullptr) {
    throw Error(ErrorCode::model, format("{}: not the networks' library of this program: {}; "
                                         "build again with scripts/fineprint",
                                         path, dlerror()));
  }
  return reinterpret_cast<models::LoadSentenceEncoder*>(function);
}

}  // namespace

models::LoadSentenceEncoder* open_nets_library() {
  static models::LoadSentenceEncoder* const load = open_beside_program();
  return load;
}

}  // namespace fineprint::session
