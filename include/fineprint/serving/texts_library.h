// The interface between the program and the library of text encoders and QA models that
// needs no LibTorch.
#pragma once

#include <cstdint>

#include "fineprint/models/model_spec.h"
#include "fineprint/models/qa_model.h"
#include "fineprint/models/text_only_encoder.h"

namespace fineprint::serving {

// File name of the library, which is in the folder of the program.
inline constexpr const char* kTextsLibrary = "libfineprint_texts.so";

// The functions of the library.
struct TextsTable {
  // Returns a sentence encoder that the caller owns, or nullptr if only the networks' library can
  // run this one: it runs BERT with 8-bit codes on the CPU, made from weights in float32. Throws
  // Error(model) if the model folder cannot be used.
  models::TextOnlyEncoder* (*load_sentence_encoder)(const models::ModelSpec& spec,
                                                    const models::DeviceOptions& options);
  // Returns a QA model that the caller owns, or nullptr in the same way: it runs BERT with 8-bit
  // codes on the CPU. Throws Error(model) if the model folder cannot be used.
  models::QaModel* (*load_qa_model)(const models::ModelSpec& spec,
                                    const models::DeviceOptions& options);
};

// A number that changes when program and library must not be mixed; see kNetsInterface.
inline constexpr std::uint64_t kTextsInterface =
    std::uint64_t{3} << 48 | sizeof(models::ModelSpec) << 24 | sizeof(models::DeviceOptions);

// Name of the only exported function, a session::LibraryEntry.
inline constexpr const char* kTextsEntry = "fineprint_texts";

}  // namespace fineprint::serving
