// Where models run and in which number format.
#pragma once

#include <string>

namespace fineprint::models {

struct DeviceOptions {
  std::string device = "auto";  // auto | cpu | cuda[:N]
  // auto | float32 | bfloat16 | float16. auto: float32 on the cpu, bfloat16 on a GPU.
  std::string dtype = "auto";
  int threads = 0;  // 0: all usable cores
};

}  // namespace fineprint::models
