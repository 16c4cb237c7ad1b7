// Finds models and has the networks' library load them.
#include "fineprint/models/model_spec.h"
#include "fineprint/session/load.h"

namespace fineprint::session {

std::unique_ptr<models::Embedder> load_text_encoder(const std::string& spec,
                                                    const ModelOptions& options) {
  const models::ModelSpec model =
      models::read_model(models::find_text_encoder(spec, options.hub_cache), options.hub_cache);
  return std::unique_ptr<models::Embedder>(nets().load_sentence_encoder(model, options.device));
}

std::unique_ptr<models::Encoder> load_encoder(const std::string& spec,
                                              const ModelOptions& options) {
  const models::ModelSpec model =
      models::read_model(models::find_model(spec, options.hub_cache), options.hub_cache);
  return std::unique_ptr<models::Encoder>(nets().load_encoder(model, options.device));
}

std::unique_ptr<models::Generator> load_generator(const std::string& spec,
                                                  const ModelOptions& options) {
  const models::ModelSpec model =
      models::read_model(models::find_model(spec, options.hub_cache), options.hub_cache);
  return std::unique_ptr<models::Generator>(nets().load_generator(model, options.device));
}

}  // namespace fineprint::session
