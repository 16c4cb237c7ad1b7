// What can be trained of models.
#include "nets/weights/trainable.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

void check_trainable(const models::ModelSpec& spec, const Device& device) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::model, format("{} cannot be trained: {}", spec.name, why));
  };
  if (spec.dir.ends_with(".gguf")) refuse("it is a GGUF file; its model's own folder can");
  if (spec.quantisation) refuse("its weights are codes; the folder that they were made of can");
  if (spec.adapter) refuse("it is an adapter; merge it into its model first");
  if (!device.trained->lora && device.dtype != at::kFloat) {
    throw Error(ErrorCode::usage,
                "every weight is trained in float32 only: use --dtype float32, "
                "or low-rank changes (lora-rank)");
  }
}

void check_targets(const models::ModelSpec& spec, const Trained& trained) {
  if (!trained.tensors.empty()) return;
  std::string names;
  for (const std::string& name : trained.lora->targets) names += " " + name;
  throw Error(ErrorCode::usage,
              format("{} has no module that is called one of:{}; name its own by lora-targets",
                     spec.name, names));
}

}  // namespace fineprint::nets
