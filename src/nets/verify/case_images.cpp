// Reads the images of a golden case, processed here or by the reference.
#include "nets/verify/case_images.h"

#include <algorithm>

#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/image/codec.h"

namespace fineprint::nets {

preprocess::PixelInput case_image(const CaseCheck& check, const std::string& file) {
  const std::string path = check.dir() + "/" + file;
  const std::string bytes = read_file(path);
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return preprocess::process_image(check.spec().processor,
                                   image::decode({data, bytes.size()}, path));
}

at::Tensor pixel_tensor(const std::vector<preprocess::PixelInput>& images) {
  std::vector<at::Tensor> parts;
  for (const preprocess::PixelInput& image : images) {
    parts.push_back(
        at::from_blob(const_cast<float*>(image.values.data()), image.shape, at::kFloat));
  }
  return at::cat(parts);
}

std::vector<preprocess::PixelInput> with_pixels(std::vector<preprocess::PixelInput> images,
                                                const at::Tensor& values) {
  const at::Tensor all = values.to(at::kFloat).contiguous();
  const float* next = all.const_data_ptr<float>();
  const float* end = next + all.numel();
  for (preprocess::PixelInput& image : images) {
    const auto count = static_cast<std::ptrdiff_t>(image.values.size());
    if (end - next < count) {
      throw Error(ErrorCode::input, "the case's pixel_values are fewer than its images need");
    }
    std::copy_n(next, count, image.values.begin());
    next += count;
  }
  return images;
}

}  // namespace fineprint::nets
