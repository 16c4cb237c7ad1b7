// The entry point of the library of networks that need no LibTorch: the program opens it and calls
// fineprint_texts.
#include "fineprint/serving/texts_library.h"

#include "nets/texts/packed_encoder.h"
#include "nets/texts/packed_qa_model.h"

namespace fineprint::nets {
namespace {

models::TextOnlyEncoder* load_packed_encoder(const models::ModelSpec& spec,
                                             const models::DeviceOptions& options) {
  return open_packed_encoder(spec, options).release();
}

models::QaModel* load_packed_qa_model(const models::ModelSpec& spec,
                                      const models::DeviceOptions& options) {
  return open_packed_qa_model(spec, options).release();
}

constexpr serving::TextsTable kTextsTable = {load_packed_encoder, load_packed_qa_model};

}  // namespace
}  // namespace fineprint::nets

extern "C" __attribute__((visibility("default"))) const void* fineprint_texts(
    std::uint64_t interface) {
  return interface == fineprint::serving::kTextsInterface ? &fineprint::nets::kTextsTable : nullptr;
}
