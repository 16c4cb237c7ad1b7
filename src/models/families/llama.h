// What the recipes of language models in Llama's layout share.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads the decoder of Llama and SmolLM2.
Decoder read_llama_decoder(const JsonFacts& config);
// Returns its tensors, with the row order that the folder or the GGUF file uses.
PartTensors llama_trunk_tensors(const FolderReader& folder, const Decoder& decoder,
                                const std::vector<std::string>& prefixes);
// What differs between families of this layout outside of the decoder.
struct LlamaOutside {
  std::vector<std::string> prefixes = {"model."};  // prefixes of the decoder's tensors
  bool tied = false;                               // default: the head uses the token embeddings
};

// Completes a model around a decoder that reads only texts: head, chat, generation and parts. If
// modules.json says how its states become vectors, makes a sentence encoder instead.
ModelSpec finish_llama(FolderReader& folder, const Decoder& decoder,
                       const LlamaOutside& outside = {});

}  // namespace fineprint::models
