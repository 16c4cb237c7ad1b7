// Opens libheif when the first HEIC or AVIF picture is read, because with its codecs it takes
// longer to load than everything else that pictures need.
#pragma once

#include <libheif/heif.h>

namespace fineprint::image {

// The functions of libheif that are used, by their names without "heif_".
struct HeifLibrary {
  decltype(&heif_context_alloc) context_alloc;
  decltype(&heif_context_free) context_free;
  decltype(&heif_context_read_from_memory_without_copy) context_read_from_memory_without_copy;
  decltype(&heif_context_get_number_of_top_level_images) context_get_number_of_top_level_images;
  decltype(&heif_context_get_list_of_top_level_image_IDs) context_get_list_of_top_level_image_ids;
  decltype(&heif_context_get_image_handle) context_get_image_handle;
  decltype(&heif_image_handle_release) image_handle_release;
  decltype(&heif_image_handle_get_width) image_handle_get_width;
  decltype(&heif_image_handle_get_height) image_handle_get_height;
  decltype(&heif_decode_image) decode_image;
  decltype(&heif_image_release) image_release;
  decltype(&heif_image_get_plane_readonly) image_get_plane_readonly;
  decltype(&heif_image_get_width) image_get_width;
  decltype(&heif_image_get_height) image_get_height;
};

// Returns the library. Throws Error(unsupported) if it is not installed.
const HeifLibrary& heif();

}  // namespace fineprint::image
