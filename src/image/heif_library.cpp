// Opens libheif at run time.
#include "image/heif_library.h"

#include <dlfcn.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::image {
namespace {

// The library's file name with its interface version, as its own header defines it.
constexpr const char* kHeifFile = "libheif.so.1";

Error no_heif() {
  return Error(
      ErrorCode::unsupported,
      format("HEIC and AVIF pictures need libheif: {}; apt-get install libheif1", dlerror()));
}

// Looks up a function by name. Throws Error(unsupported) if the library lacks it.
template <typename Function>
void find_function(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw no_heif();
}

HeifLibrary open_heif() {
  void* file = dlopen(kHeifFile, RTLD_NOW | RTLD_LOCAL);
  if (file == nullptr) throw no_heif();
  HeifLibrary heif{};
  find_function(file, "heif_context_alloc", heif.context_alloc);
  find_function(file, "heif_context_free", heif.context_free);
  find_function(file, "heif_context_read_from_memory_without_copy",
                heif.context_read_from_memory_without_copy);
  find_function(file, "heif_context_get_number_of_top_level_images",
                heif.context_get_number_of_top_level_images);
  find_function(file, "heif_context_get_list_of_top_level_image_IDs",
                heif.context_get_list_of_top_level_image_ids);
  find_function(file, "heif_context_get_image_handle", heif.context_get_image_handle);
  find_function(file, "heif_image_handle_release", heif.image_handle_release);
  find_function(file, "heif_image_handle_get_width", heif.image_handle_get_width);
  find_function(file, "heif_image_handle_get_height", heif.image_handle_get_height);
  find_function(file, "heif_decode_image", heif.decode_image);
  find_function(file, "heif_image_release", heif.image_release);
  find_function(file, "heif_image_get_plane_readonly", heif.image_get_plane_readonly);
  find_function(file, "heif_image_get_width", heif.image_get_width);
  find_function(file, "heif_image_get_height", heif.image_get_height);
  return heif;
}

}  // namespace

const HeifLibrary& heif() {
  static const HeifLibrary library = open_heif();
  return library;
}

}  // namespace fineprint::image
