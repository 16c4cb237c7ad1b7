// Counts the values of the tensors that a model's configuration asks for.
#include "fineprint/session/generator_size.h"

#include <functional>
#include <numeric>

#include "fineprint/core/error.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/remote/openai_generator.h"
#include "fineprint/remote/script_generator.h"

namespace fineprint::session {
namespace {

std::int64_t size_of(const models::ModelSpec& model) {
  std::int64_t count = 0;
  for (const models::PartTensors& part : model.parts) {
    for (const models::TensorSpec& tensor : part.tensors) {
      count += std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1},
                               std::multiplies<>());
    }
  }
  return count;
}

}  // namespace

std::optional<std::int64_t> generator_parameters(const std::string& spec,
                                                 const ModelOptions& options) {
  if (spec.starts_with(remote::kScriptPrefix) || remote::names_server(spec)) return std::nullopt;
  try {
    return size_of(models::read_model(models::find_generator(spec, options.hub_cache, options.gguf),
                                      options.hub_cache));
  } catch (const Error& error) {
    // Whoever loads the model reports the error.
    if (error.code() == ErrorCode::interrupted) throw;
    return std::nullopt;
  }
}

bool is_small_generator(const std::string& spec, const ModelOptions& options) {
  if (spec.starts_with(remote::kScriptPrefix)) return true;
  const std::optional<std::int64_t> parameters = generator_parameters(spec, options);
  return parameters && *parameters < kFewestForSteps;
}

}  // namespace fineprint::session
