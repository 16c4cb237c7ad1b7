// Reads the parts that families share out of their configurations; every size is bounded.
#pragma once

#include <cstdint>

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Sizes over these are mistakes or attacks: no published model comes near.
inline constexpr int kMaxLayers = 256;
inline constexpr int kMaxWidth = 1 << 15;
inline constexpr int kMaxHeads = 1 << 10;
inline constexpr int kMaxInner = 1 << 18;
inline constexpr int kMaxVocabulary = 10'000'000;
inline constexpr int kMaxPositions = 1 << 24;

// What a configuration's class takes when a key is absent; 0: the key must be there.
struct DecoderDefaults {
  int head_dim = 0;
  int max_positions = 0;
  double norm_eps = 0;
  int heads = 0, kv_heads = 0, vocab_size = 0;
  bool own_layers = false;  // the family reads windows, kinds of layers and rotated widths itself
};

// The sizes of a decoder, and the refusal of what would change its results: attention within a
// window shorter than the positions, layers of other kinds.
Decoder read_decoder(const JsonFacts& config, const DecoderDefaults& defaults = {});
// The kind that a configuration calls by a name.
struct NamedKind {
  std::string name;
  LayerKind kind;
};
// Of so many layers one, the first or the last of them.
struct OneOf {
  int layers = 1;
  bool first = false;
};
// Of each layer, by layer_types: full_attention or `other`; without these, full attention in
// `full`.
std::vector<LayerKind> read_layer_kinds(const JsonFacts& config, int layers, const NamedKind& other,
                                        const OneOf& full);
// The sizes of a CLIP or SigLIP tower; the family sets what differs between the two.
FixedTower read_fixed_tower(const JsonFacts& config, const FixedTower& defaults);
// A SigLIP tower as transformers' class of it is configured.
FixedTower read_siglip_tower(const JsonFacts& vision);
// The sizes, but for the types of tokens. `first_position`: the row of a text's first token in the
// table of positions.
TextEncoder read_text_encoder(const JsonFacts& config, int first_position = 0);
// The sizes; the family says what else differs.
RotaryEncoder read_rotary_encoder(const JsonFacts& config);
// Throws unless heads divides hidden.
void check_heads(const JsonFacts& config, const std::string& key, int heads, int hidden);
// Whether the head is the token embeddings: the key stands on the outside, or in text_config.
bool read_tied(const JsonFacts& config, const JsonFacts& text, bool absent);

// rope_scaling, or rope_parameters as newer writers call it; the configuration itself without both.
JsonFacts rope_facts(const JsonFacts& config);
double read_rope_theta(const JsonFacts& config);

// generation_config.json, or the end token of config.json without that file.
GenerationDefaults read_generation(FolderReader& folder, const JsonFacts& config, int vocab_size);

// image_mean and image_std, and that the pixels are treated as usual (rescaled, normalised).
preprocess::PixelNorm read_pixel_norm(const JsonFacts& preprocessor);
// Throws unless a key that is there says `expected`.
void expect_integer(const JsonFacts& facts, const std::string& key, int expected);

}  // namespace fineprint::models
