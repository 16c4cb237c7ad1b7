// Finds the text encoder and says what makes it the one it is.
#include "ingest/encoder_source.h"

#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/models/folder.h"
#include "fineprint/session/context.h"

namespace fineprint::ingest {

EncoderSource encoder_source(const IngestOptions& options) {
  const auto facts = models::read_sentence_encoder(models::find_text_encoder(options.retriever));
  EncoderSource out;
  out.identity = content_hash(fineprint::format("{} {} {} {}", file_hash(facts.weights_path),
                                                file_hash(facts.tokenizer_path), facts.max_sequence,
                                                facts.pooling_mean));
  out.tokenizer = text::Tokenizer::load(facts.tokenizer_path);
  out.load = [spec = options.retriever, device = options.device] {
    return session::load_text_encoder(spec, device);
  };
  return out;
}

}  // namespace fineprint::ingest
