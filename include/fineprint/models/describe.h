// Describes a model before it is used: parts, memory, abilities (for `fineprint models`).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"

namespace fineprint::models {

// The size of one part.
struct PartFacts {
  std::string part;  // "tower", "connector", "trunk", "head", "projection"
  std::int64_t parameters = 0;
};

// Memory that a sequence of some length needs in addition to the weights.
struct ContextNeed {
  std::int64_t tokens = 0;
  std::int64_t state_bytes = 0;
};

// Memory that a model needs in one number format.
struct MemoryNeed {
  // For example "float32". Of a GGUF file or a quantised folder, the first entry is the format of
  // most of its weights, for example "Q4_K".
  std::string dtype;
  std::int64_t weight_bytes = 0;
  // Bytes of attention states for 1000 tokens of one sequence; 0 without a decoder.
  std::int64_t state_bytes = 0;
  // States of one sequence at several lengths; the last is the longest that the model takes. Empty
  // without a decoder.
  std::vector<ContextNeed> contexts = {};
  // Bytes of cached states for ModelFacts::page_tokens; 0 if the model takes no images or keeps no
  // states.
  std::int64_t page_state_bytes = 0;
};

// The facts of a model that its files give.
struct ModelFacts {
  std::string family, name, dir;
  std::string adapter;           // the adapter's folder, or empty
  std::string projector;         // a GGUF file's second file, or empty
  std::string blind;             // why the model of a GGUF file takes no images, or empty
  std::vector<PartFacts> parts;  // parts with tensors, those of the adapter included
  std::int64_t parameters = 0;
  std::int64_t stored_bytes = 0;
  // Format of most parameters, for example "BF16"; see Checkpoint::dtype.
  std::string stored_dtype;
  std::vector<MemoryNeed> memory;
  bool sees = false;
  bool generates = false;
  bool chats = false;  // generates, and has a chat template
  bool embeds = false;
  bool scores_pairs = false;  // a cross-encoder
  bool reads = false;         // a QA model: points at answers in passages
  bool judges = false;        // can be asked whether a page answers a question
  bool many_vectors = false;  // one vector for each token, if it embeds
  bool sparse = false;  // vectors have a number for each token of a vocabulary, most of them 0
  std::int64_t vector_width = 0;
  // Tokens of an A4 page at 150 dots per inch (1240 x 1754 pixels); 0 if the model takes no images.
  std::int64_t page_tokens = 0;
  // Bytes of weights that each token of a reply reads, in the format that they have in memory on a
  // CPU by default; 0 if the model does not generate. With the speed of memory it bounds the speed
  // of replies.
  std::int64_t bytes_a_token = 0;
  std::int64_t max_tokens = 0;  // limit of a prompt with its reply, or of a text
};

// Describes a model whose folder and weights were read. Throws no errors of its own.
ModelFacts describe_model(const ModelSpec& spec, const Checkpoint& checkpoint);

}  // namespace fineprint::models
