// What the program and the networks' library, opened at run time, agree upon.
#pragma once

#include <cstdint>
#include <string>

#include "fineprint/models/embedder.h"
#include "fineprint/models/encoder.h"
#include "fineprint/models/generator.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/reader.h"
#include "fineprint/models/reranker.h"
#include "fineprint/models/verify.h"
#include "fineprint/serving/kept_states.h"

namespace fineprint::serving {

// File name of the library; it stands in the program's own folder.
inline constexpr const char* kNetsLibrary = "libfineprint_nets.so";

// What the library can do. The caller owns what `load_` functions return; all throw Error(model)
// for a folder that cannot be used and Error(usage) for a device that is not there.
struct NetsTable {
  models::Embedder* (*load_sentence_encoder)(const models::ModelSpec& spec,
                                             const models::DeviceOptions& options);
  models::Encoder* (*load_encoder)(const models::ModelSpec& spec,
                                   const models::DeviceOptions& options);
  models::Reranker* (*load_reranker)(const models::ModelSpec& spec,
                                     const models::DeviceOptions& options);
  models::Reader* (*load_reader)(const models::ModelSpec& spec,
                                 const models::DeviceOptions& options);
  models::Generator* (*load_generator)(const models::ModelSpec& spec,
                                       const models::DeviceOptions& options,
                                       const KeepOptions& keep);
  // Cases of models; Error(input) for a folder that is no case.
  models::CaseReport (*verify_case)(const std::string& case_dir,
                                    const models::VerifyOptions& verify,
                                    const models::DeviceOptions& options);
  // "2.11.0; cpu with AVX2; cuda:0 NVIDIA H200, 139 GiB": for people.
  std::string (*describe)();
};

// Changes when the two must not be mixed: raise the first number with any change to the types or
// functions that cross the border. The sizes catch a forgotten one.
inline constexpr std::uint64_t kNetsInterface =
    std::uint64_t{9} << 48 | sizeof(models::ModelSpec) << 24 | sizeof(NetsTable) << 8 |
    sizeof(models::DeviceOptions);

// The library's one exported function, session::LibraryEntry, which gives a NetsTable; nullptr when
// the interface is not its own kNetsInterface.
inline constexpr const char* kNetsEntry = "fineprint_nets";

}  // namespace fineprint::serving
