// Finds model folders and reads the facts in their small files.
#pragma once

#include <string>

namespace fineprint::models {

// What the small files of a sentence encoder's folder say.
struct SentenceEncoderFacts {
  std::string dir;
  std::string name;  // the folder's own name, or the one of the package that carries it
  std::string weights_path;
  std::string tokenizer_path;
  int layers = 0, hidden = 0, heads = 0, intermediate = 0;
  int vocab_size = 0, max_positions = 0, type_vocab_size = 0;
  double layer_norm_eps = 1e-12;
  int max_sequence = 512;    // tokens, special ones included; at most max_positions
  bool pooling_mean = true;  // else the vector of the first token
  bool lower_case = false;   // texts must be lower-cased; the tokenizer has to do it
};

// Resolves SPEC: a folder, or "" for the default encoder: all-MiniLM-L6-v2 as the set-up installed
// it (FINEPRINT_MODELS folder compiled in, then beside the program). Throws Error(model) that
// names every place that was looked in and what to do.
std::string find_text_encoder(const std::string& spec);

// Reads config.json, modules.json, sentence_bert_config.json and the pooling module's config.json,
// and sees that tokenizer.json and model.safetensors are there. Only BERT with mean or first-token
// pooling is accepted. Throws Error(model) naming the file and the key that is missing or absurd.
SentenceEncoderFacts read_sentence_encoder(const std::string& dir);

}  // namespace fineprint::models
