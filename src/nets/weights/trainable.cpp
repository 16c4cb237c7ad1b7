// Checks whether a model can be trained.
#include "nets/weights/trainable.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::nets {

void check_trainable(const models::ModelSpec& spec, const Device& device) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::model, format("cannot train {}: {}", spec.name, why));
  };
  if (spec.dir.ends_with(".gguf"))
    refuse("it is a GGUF file; use the folder that it was made from");
  if (spec.quantisation) refuse("its weights are codes; use the folder that they were made from");
  if (spec.adapter) refuse("it is an adapter; merge it into its model first");
  const auto* decoder = std::get_if<models::Decoder>(&spec.trunk);
  if (decoder != nullptr && decoder->experts.count > 0) {
    refuse("the choice among its experts has no gradient; use a model without experts");
  }
  if (!device.trained->lora && device.dtype != at::kFloat) {
    throw Error(ErrorCode::usage,
                "all weights can be trained in float32 only; use --dtype float32, "
                "or train low-rank changes (--lora-rank)");
  }
}

void check_targets(const models::ModelSpec& spec, const Trained& trained) {
  if (!trained.tensors.empty()) return;
  std::string names;
  for (const std::string& name : trained.lora->targets) names += " " + name;
  throw Error(ErrorCode::usage,
              format("{} has none of the modules:{}; name some that it has with --lora-targets",
                     spec.name, names));
}

}  // namespace fineprint::nets
