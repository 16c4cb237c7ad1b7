// The images of a golden case, processed here or as the reference processed them.
#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/preprocess/image_processor.h"

#include "nets/verify/case_check.h"

namespace fineprint::nets {

// A file of the case, decoded and processed for the case's model.
preprocess::PixelInput case_image(const CaseCheck& check, const std::string& file);

// The values of all images behind each other: [sum of first dimensions, ...].
at::Tensor pixel_tensor(const std::vector<preprocess::PixelInput>& images);

// The same images with the values that the reference computed: [total, ...] as above.
std::vector<preprocess::PixelInput> with_pixels(std::vector<preprocess::PixelInput> images,
                                                const at::Tensor& values);

}  // namespace fineprint::nets
