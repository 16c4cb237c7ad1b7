// The interface between the program and the library of networks, which it opens at run time.
#pragma once

#include <cstdint>
#include <string>

#include "fineprint/models/encoder.h"
#include "fineprint/models/generator.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/models/qa_model.h"
#include "fineprint/models/reranker.h"
#include "fineprint/models/text_only_encoder.h"
#include "fineprint/models/verify.h"
#include "fineprint/onnx/graph_network.h"
#include "fineprint/serving/prefix_cache.h"

namespace fineprint::serving {

// File name of the library, which is in the folder of the program.
inline constexpr const char* kNetsLibrary = "libfineprint_nets.so";

// The functions of the library. The caller owns what the `load_` functions return. All of them
// throw Error(model) if the model folder cannot be used and Error(usage) if the device does not
// exist.
struct NetsTable {
  models::TextOnlyEncoder* (*load_sentence_encoder)(const models::ModelSpec& spec,
                                                    const models::DeviceOptions& options);
  models::Encoder* (*load_encoder)(const models::ModelSpec& spec,
                                   const models::DeviceOptions& options);
  models::Reranker* (*load_reranker)(const models::ModelSpec& spec,
                                     const models::DeviceOptions& options);
  models::QaModel* (*load_qa_model)(const models::ModelSpec& spec,
                                    const models::DeviceOptions& options);
  models::Generator* (*load_generator)(const models::ModelSpec& spec,
                                       const models::DeviceOptions& options,
                                       const PrefixCacheOptions& keep);
  // Opens the graph of an ONNX file, which runs on the CPU. Throws Error(unreadable) if there is no
  // such file.
  onnx::GraphNetwork* (*load_graph)(const std::string& path, const models::DeviceOptions& options);
  // Runs a golden case of a model. Throws Error(input) if the folder is no case.
  models::CaseReport (*verify_case)(const std::string& case_dir,
                                    const models::VerifyOptions& verify,
                                    const models::DeviceOptions& options);
  // Returns versions and devices for people, for example "2.11.0; cpu with AVX2; cuda:0 NVIDIA
  // H200, 139 GiB".
  std::string (*describe)();
};

// A number that changes when program and library must not be mixed. Raise its first part with any
// change to the types or functions that cross the interface; the sizes catch a change that was
// forgotten.
inline constexpr std::uint64_t kNetsInterface =
    std::uint64_t{12} << 48 | sizeof(models::ModelSpec) << 24 | sizeof(NetsTable) << 8 |
    sizeof(models::DeviceOptions);

// Name of the only exported function, a session::LibraryEntry. It returns a NetsTable, or nullptr
// if its argument differs from the library's own kNetsInterface.
inline constexpr const char* kNetsEntry = "fineprint_nets";

}  // namespace fineprint::serving
