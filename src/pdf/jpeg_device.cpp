// Unless a scan is drawn at less than half its size, MuPDF decodes all of it, and without the
// vector instructions that libjpeg-turbo uses. That takes most of the time of a scanned page.
#include "pdf/jpeg_device.h"

#include <algorithm>
#include <cmath>

namespace fineprint::pdf {
namespace {

constexpr int kLargePixels = 1 << 19;  // a smaller picture takes MuPDF a few milliseconds

// A device of MuPDF with one more field. `base` must come first.
struct JpegDevice {
  fz_device base;
  JpegStandIn* stand_in;
};

// Returns whether the colours are grey or RGB, which a JPEG decoder gives without conversion.
bool fits_colors(fz_context* context, fz_image* image) {
  if (image->n == 1) return fz_colorspace_is_gray(context, image->colorspace) != 0;
  return image->n == 3 && fz_colorspace_is_rgb(context, image->colorspace) != 0;
}

// Returns the bytes of an image that is a large JPEG and nothing else, or null for other images.
fz_compressed_buffer* plain_jpeg(fz_context* context, fz_image* image) {
  fz_compressed_buffer* buffer = fz_compressed_image_buffer(context, image);
  if (buffer == nullptr || buffer->params.type != FZ_IMAGE_JPEG) return nullptr;
  // A mask can only have been laid around the picture as a clip, in which case MuPDF applies it. If
  // the colours were blended with the mask (matte), the colour key is set.
  if (image->imagemask || image->use_colorkey || image->use_decode) return nullptr;
  const int transform = buffer->params.u.jpeg.color_transform;
  const bool usual = image->bpc == 8 && (transform == -1 || transform == 1);
  const bool large = image->h > 0 && image->w > kLargePixels / image->h;
  return usual && large && fits_colors(context, image) ? buffer : nullptr;
}

// Decodes the JPEG. MuPDF's frames call this function, so no exception may leave it.
bool decode(JpegStandIn* stand_in, fz_compressed_buffer* buffer, fz_image* image,
            fz_matrix matrix) noexcept {
  try {
    const int width = static_cast<int>(std::hypot(matrix.a, matrix.b));
    const int height = static_cast<int>(std::hypot(matrix.c, matrix.d));
    stand_in->picture = {};  // frees the last picture first, so that there are never two
    stand_in->picture =
        stand_in->decode({buffer->buffer->data, buffer->buffer->len}, width, height);
  } catch (...) {
    return false;  // MuPDF then shows as much of a damaged picture as it can
  }
  // The size in the PDF must agree with the size in the JPEG, up to the scale of decoding.
  const Image& made = stand_in->picture;
  if (made.channels != image->n || made.width <= 0 || made.height <= 0) return false;
  const int shrunk = std::max(1, (image->w + made.width / 2) / made.width);
  const auto is_part = [shrunk](int part, int whole) {
    return part == (whole + shrunk - 1) / shrunk;
  };
  return is_part(made.width, image->w) && is_part(made.height, image->h);
}

// Draws the decoded picture instead of `like`. Throws as MuPDF does.
void pass_on(fz_context* context, fz_device* target, fz_image* like, Image* picture,
             fz_matrix matrix, float alpha, fz_color_params params) {
  fz_pixmap* pixmap = nullptr;
  fz_image* image = nullptr;
  fz_var(pixmap);
  fz_var(image);
  fz_try(context) {
    pixmap =
        fz_new_pixmap_with_data(context, like->colorspace, picture->width, picture->height, nullptr,
                                0, static_cast<int>(picture->stride()), picture->pixels.data());
    image = fz_new_image_from_pixmap(context, pixmap, nullptr);
    image->interpolate = like->interpolate;
    fz_fill_image(context, target, image, matrix, alpha, params);
  }
  fz_always(context) {
    fz_drop_image(context, image);
    fz_drop_pixmap(context, pixmap);
  }
  fz_catch(context) { fz_rethrow(context); }
}

void fill_image(fz_context* context, fz_device* base, fz_image* image, fz_matrix matrix,
                float alpha, fz_color_params params) {
  JpegStandIn* stand_in = reinterpret_cast<JpegDevice*>(base)->stand_in;
  fz_compressed_buffer* buffer = stand_in->left > 0 ? plain_jpeg(context, image) : nullptr;
  if (buffer == nullptr) {
    return fz_fill_image(context, base->passthrough, image, matrix, alpha, params);
  }
  // Counts attempts, too, because a failed attempt takes time.
  --stand_in->left;
  if (!decode(stand_in, buffer, image, matrix)) {
    return fz_fill_image(context, base->passthrough, image, matrix, alpha, params);
  }
  pass_on(context, base->passthrough, image, &stand_in->picture, matrix, alpha, params);
}

}  // namespace

fz_device* new_jpeg_device(fz_context* context, fz_device* target, JpegStandIn* stand_in) {
  auto* device = reinterpret_cast<JpegDevice*>(
      fz_new_passthrough_device_of_size(context, target, sizeof(JpegDevice)));
  device->stand_in = stand_in;
  device->base.fill_image = fill_image;
  return &device->base;
}

}  // namespace fineprint::pdf
