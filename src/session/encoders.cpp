// The encoders in model folders, in the Hugging Face cache, and on servers.
#include "fineprint/session/encoders.h"

#include <utility>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/remote/served_models.h"

namespace fineprint::session {
namespace {

class ModelEncoders : public EncoderSource {
 public:
  explicit ModelEncoders(ModelOptions options) : options_(std::move(options)) {}

  std::string hash(const std::string& spec) const override {
    if (remote::names_served_encoder(spec)) {
      return remote::find_served_encoder(spec, options_.prefixes, options_.openai).hash;
    }
    return models::Checkpoint(models::read_encoder(spec, options_.hub_cache, options_.prefixes))
        .hash();
  }
  std::unique_ptr<models::Encoder> open(const std::string& spec) const override {
    return load_encoder(spec, options_);
  }

 private:
  ModelOptions options_;
};

}  // namespace

std::unique_ptr<EncoderSource> model_encoders(const ModelOptions& options) {
  return std::make_unique<ModelEncoders>(options);
}

}  // namespace fineprint::session
