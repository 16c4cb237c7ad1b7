// The entry point of the library of text encoders: the program opens it and calls fineprint_texts.
#include "fineprint/serving/texts_library.h"

#include "nets/texts/packed_encoder.h"

namespace fineprint::nets {
namespace {

models::TextOnlyEncoder* load_packed_encoder(const models::ModelSpec& spec,
                                             const models::DeviceOptions& options) {
  return open_packed_encoder(spec, options).release();
}

constexpr serving::TextsTable kTextsTable = {load_packed_encoder};

}  // namespace
}  // namespace fineprint::nets

extern "C" __attribute__((visibility("default"))) const void* fineprint_texts(
    std::uint64_t interface) {
  return interface == fineprint::serving::kTextsInterface ? &fineprint::nets::kTextsTable : nullptr;
}
