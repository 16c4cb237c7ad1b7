// Reads the size of a picture by running its page over a device that draws nothing.
#include "pdf/picture_size.h"

#include <cmath>

namespace fineprint::pdf {
namespace {

struct SizeDevice {
  fz_device base;
  int width, height;
};

void take_size(fz_context*, fz_device* base, fz_image* image, fz_matrix matrix, float,
               fz_color_params) {
  auto* device = reinterpret_cast<SizeDevice*>(base);
  const bool on_its_side = std::abs(matrix.b) > std::abs(matrix.a);
  device->width = on_its_side ? image->h : image->w;
  device->height = on_its_side ? image->w : image->h;
}

}  // namespace

void read_picture_size(fz_context* context, fz_document* document, DocumentInfo* info) {
  OwnedPage page(context);
  OwnedDevice device(context);
  int width = 0, height = 0;
  // A picture that cannot be loaded is reported when it is drawn.
  guarded(context, [&] {
    page.pointer = fz_load_page(context, document, 0);
    device.pointer = fz_new_device_of_size(context, sizeof(SizeDevice));
    device.pointer->fill_image = take_size;
    fz_run_page(context, page.pointer, device.pointer, fz_identity, nullptr);
    width = reinterpret_cast<SizeDevice*>(device.pointer)->width;
    height = reinterpret_cast<SizeDevice*>(device.pointer)->height;
    fz_close_device(context, device.pointer);
  });
  info->picture_width = width;
  info->picture_height = height;
}

}  // namespace fineprint::pdf
