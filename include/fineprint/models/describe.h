// What a person wants to know of a model folder before using it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/models/checkpoint.h"
#include "fineprint/models/model_spec.h"

namespace fineprint::models {

struct PartFacts {
  std::string part;  // "tower", "connector", "trunk", "head", "projection"
  std::int64_t parameters = 0;
};

// What a sequence of some length adds to the weights.
struct ContextNeed {
  std::int64_t tokens = 0;
  std::int64_t state_bytes = 0;
};

// Memory that a number format takes on a device.
struct MemoryNeed {
  // "float32", "bfloat16"; of a GGUF file or quantised folder, first, what most of it is: "Q4_K"
  std::string dtype;
  std::int64_t weight_bytes = 0;
  // Keys and values of 1000 tokens of one sequence; 0 without a decoder.
  std::int64_t state_bytes = 0;
  // Of one sequence at several lengths, the longest that the model takes last; none without a
  // decoder.
  std::vector<ContextNeed> contexts = {};
  // What is kept of ModelFacts::page_tokens; 0 when it does not see, or keeps no states.
  std::int64_t page_state_bytes = 0;
};

struct ModelFacts {
  std::string family, name, dir;
  std::string adapter;           // its folder, or empty
  std::string projector;         // a GGUF file's second file, or empty
  std::string blind;             // why a GGUF file's model sees nothing, or empty
  std::vector<PartFacts> parts;  // that have tensors, the adapter's included
  std::int64_t parameters = 0;
  std::int64_t stored_bytes = 0;
  // "BF16", "Q4_K": of most parameters, in quantised models of those in codes.
  std::string stored_dtype;
  std::vector<MemoryNeed> memory;
  bool sees = false;
  bool generates = false;
  bool embeds = false;
  bool scores_pairs = false;  // a cross-encoder
  bool reads = false;         // points at answers
  bool judges = false;        // can be asked whether a page answers a question
  bool many_vectors = false;  // a vector a token, when it embeds
  std::int64_t vector_width = 0;
  // Of an A4 page at 150 dots per inch (1240 x 1754 pixels); 0 when it does not see.
  std::int64_t page_tokens = 0;
  // Of weights, what each token of a reply has read, as they lie in memory on a CPU when no format
  // is asked for; 0 when it does not generate.
  std::int64_t bytes_a_token = 0;
  std::int64_t max_tokens = 0;  // of a prompt and its reply, or of a text
};

// Throws nothing that reading the folder did not.
ModelFacts describe_model(const ModelSpec& spec, const Checkpoint& checkpoint);

}  // namespace fineprint::models
