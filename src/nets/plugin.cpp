// The one door into this library: what the program calls after opening it.
#include <string>

#include <c10/util/Exception.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/models/nets_library.h"

#include "nets/sentence_encoder.h"

extern "C" __attribute__((visibility("default"))) fineprint::models::Embedder*
fineprint_load_sentence_encoder(std::uint64_t interface,
                                const fineprint::models::SentenceEncoderFacts& facts,
                                const fineprint::models::DeviceOptions& options) {
  if (interface != fineprint::models::kNetsInterface) return nullptr;
  try {
    return new fineprint::nets::SentenceEncoder(facts, options);
  } catch (const c10::Error& error) {
    const std::string message = error.what_without_backtrace();
    throw fineprint::Error(fineprint::ErrorCode::model,
                           fineprint::format("{}: LibTorch refuses it: {}", facts.dir,
                                             message.substr(0, message.find('\n'))));
  }
}
