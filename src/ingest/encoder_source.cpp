// Finds the text encoder and says what makes it the one it is.
#include "ingest/encoder_source.h"

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/session/context.h"

namespace fineprint::ingest {

EncoderSource encoder_source(const IngestOptions& options) {
  const models::ModelSpec spec =
      models::read_model(models::find_text_encoder(options.retriever, options.model.hub_cache),
                         options.model.hub_cache);
  EncoderSource out;
  out.identity = models::Checkpoint(spec).hash();
  out.tokenizer = text::Tokenizer::load(spec.tokenizer_path);
  out.load = [name = options.retriever, model = options.model] {
    return session::load_text_encoder(name, model);
  };
  return out;
}

}  // namespace fineprint::ingest
