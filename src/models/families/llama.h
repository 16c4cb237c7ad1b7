// What language models of Llama's layout share.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// One-dimensional positions, with factors where rope_scaling asks for them.
Rope read_llama_rope(const JsonFacts& config, int head_dim);
// The decoder of Llama and SmolLM2.
Decoder read_llama_decoder(const JsonFacts& config);
// Its tensors, in the order that the folder or the GGUF file keeps them in.
PartTensors llama_trunk_tensors(const FolderReader& folder, const Decoder& decoder,
                                const std::vector<std::string>& prefixes);
// In which families of this layout differ outside of the decoder.
struct LlamaOutside {
  std::vector<std::string> prefixes = {"model."};  // of the decoder's tensors
  bool tied = false;                               // the head, where nothing is said
};

// Head, chat, generation and parts around a decoder that reads texts alone; or, where modules.json
// says how its states become vectors, a sentence encoder.
ModelSpec finish_llama(FolderReader& folder, const Decoder& decoder,
                       const LlamaOutside& outside = {});

}  // namespace fineprint::models
