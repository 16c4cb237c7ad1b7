// Compares what published models need with the free memory.
#include "fineprint/session/suggested_models.h"

#include <utility>

#include "fineprint/core/memory.h"
#include "fineprint/session/score_library.h"

namespace fineprint::session {
namespace {

// On a GPU, weights are held in 16 bits.
std::int64_t needed_on_gpu(const models::PublishedModel& model) {
  models::PublishedModel wide = model;
  wide.bytes = 2 * model.parameters;
  return models::needed_memory(wide);
}

}  // namespace

FreeMemory free_memory() {
  FreeMemory free{available_memory(), 0};
  const score::CudaTable* gpu = cuda_scoring();
  if (gpu != nullptr) free.gpu = static_cast<std::int64_t>(gpu->free_bytes(0));
  return free;
}

// If the free memory is unknown, every model is suggested.
std::vector<SuggestedModel> suggested_models(const FreeMemory& free) {
  std::vector<SuggestedModel> suggested;
  for (models::PublishedModel& model : models::published_models()) {
    SuggestedModel one;
    one.needed_bytes = models::needed_memory(model);
    one.fits_machine = free.machine == 0 || one.needed_bytes <= free.machine;
    one.fits_gpu = free.gpu > 0 && needed_on_gpu(model) <= free.gpu;
    one.model = std::move(model);
    suggested.push_back(std::move(one));
  }
  return suggested;
}

}  // namespace fineprint::session
