// Says which published models this machine can run.
#pragma once

#include <cstdint>
#include <vector>

#include "fineprint/models/published_models.h"

namespace fineprint::session {

// Free bytes. 0: the system does not report them, or there is no GPU.
struct FreeMemory {
  std::int64_t machine = 0, gpu = 0;
};
// Opens the library of GPU kernels if there is one; see cuda_scoring().
FreeMemory free_memory();

// A published model on this machine.
struct SuggestedModel {
  models::PublishedModel model;
  std::int64_t needed_bytes = 0;  // of the machine's memory; see models::needed_memory
  bool fits_machine = false;      // always true if the machine's free memory is unknown
  bool fits_gpu = false;
};
// Returns all published models, in the order of models::published_models(), and throws what that
// throws.
std::vector<SuggestedModel> suggested_models(const FreeMemory& free);

}  // namespace fineprint::session
