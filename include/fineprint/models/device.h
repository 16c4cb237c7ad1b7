// Options for where models run and in which number format.
#pragma once

#include <string>

#include "fineprint/core/option.h"

namespace fineprint::models {

// Values are checked when a model is loaded.
struct DeviceOptions {
  std::string device = "auto";  // auto | cpu | cuda[:N]
  // auto | float32 | bfloat16 | float16 | int8.
  //
  // On a GPU this is the format of weights and activations; auto means bfloat16. On a CPU
  // activations are float32, and this is the format of the large weight matrices in memory; auto
  // means as stored in the checkpoint. int8 (CPU only) is approximate. So is bfloat16 on a CPU with
  // AVX512-BF16, because products of 16 rows or more round the activations as well.
  std::string dtype = "auto";
  int threads = 0;  // CPU threads; 0: all usable cores
};

// Returns the options --device, --dtype and --jobs.
const OptionTable<DeviceOptions>& device_options();

}  // namespace fineprint::models
