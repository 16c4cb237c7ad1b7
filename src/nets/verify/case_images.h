// Reads the images of a golden case, processed here or by the reference.
#pragma once

#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "fineprint/preprocess/image_processor.h"

#include "nets/verify/case_check.h"

namespace fineprint::nets {

// Returns an image file of the case, decoded and processed for the case's model.
preprocess::PixelInput case_image(const CaseCheck& check, const std::string& file);

// Returns the values of all images, one image after the other: [sum of first dimensions, ...].
at::Tensor pixel_tensor(const std::vector<preprocess::PixelInput>& images);

// Returns the same images with the values that the reference computed: [total, ...], in order.
std::vector<preprocess::PixelInput> with_pixels(std::vector<preprocess::PixelInput> images,
                                                const at::Tensor& values);

}  // namespace fineprint::nets
