// Where models run and in which number format.
#pragma once

#include <string>

#include "fineprint/core/option.h"

namespace fineprint::models {

struct DeviceOptions {
  std::string device = "auto";  // auto | cpu | cuda[:N]
  // auto | float32 | bfloat16 | float16 | int8. On a GPU, weights and activations; auto: bfloat16.
  // On the cpu activations are float32 and this is how the large weight matrices lie in memory;
  // auto: as the checkpoint has them. int8 (cpu only) is approximate; so is bfloat16 on a cpu with
  // AVX512-BF16, where activations too are rounded in products with 16 rows of them or more.
  std::string dtype = "auto";
  int threads = 0;  // 0: all usable cores
};

const OptionTable<DeviceOptions>& device_options();

}  // namespace fineprint::models
