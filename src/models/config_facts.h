// Reads the parts of configurations that families share. Every size is bounded.
#pragma once

#include <cstdint>

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Limits. A larger size is a mistake or an attack, because no published model comes near.
inline constexpr int kMaxLayers = 256;
inline constexpr int kMaxWidth = 1 << 15;
inline constexpr int kMaxHeads = 1 << 10;
inline constexpr int kMaxInner = 1 << 18;
inline constexpr int kMaxExperts = 1 << 10;
inline constexpr int kMaxVocabulary = 10'000'000;
inline constexpr int kMaxPositions = 1 << 24;

// Values that a configuration's class uses if a key is absent; 0: the key must be there.
struct DecoderDefaults {
  int head_dim = 0;
  int max_positions = 0;
  double norm_eps = 0;
  int heads = 0, kv_heads = 0, vocab_size = 0;
  bool own_layers = false;  // the family reads windows, layer kinds and rotated widths itself
};

// Reads the sizes of a decoder. Throws if the configuration asks for something that would change
// results and that only some families support: windows shorter than the positions, other layer
// kinds.
Decoder read_decoder(const JsonFacts& config, const DecoderDefaults& defaults = {});
// A layer kind by its name in configurations.
struct NamedKind {
  std::string name;
  LayerKind kind;
};
// One layer of each group of `layers`: the last one, or the first.
struct OneOf {
  int layers = 1;
  bool first = false;
};
// Returns the kind of each layer from layer_types: full_attention or `other`. Without layer_types,
// the layers that `full` selects have full attention.
std::vector<LayerKind> read_layer_kinds(const JsonFacts& config, int layers, const NamedKind& other,
                                        const OneOf& full);
// Reads the sizes of a CLIP or SigLIP tower; the family sets what differs between the two.
FixedTower read_fixed_tower(const JsonFacts& config, const FixedTower& defaults);
// Reads a SigLIP tower with the defaults of its class in transformers.
FixedTower read_siglip_tower(const JsonFacts& vision);
// The same, whatever model_type the configuration has.
FixedTower read_siglip_sizes(const JsonFacts& vision);
// Reads the sizes except the number of token types. `first_position` is the row of a text's first
// token in the table of positions.
TextEncoder read_text_encoder(const JsonFacts& config, int first_position = 0);
// Reads the sizes; the family sets the rest.
RotaryEncoder read_rotary_encoder(const JsonFacts& config);
// Throws unless `heads` divides `hidden`.
void check_heads(const JsonFacts& config, const std::string& key, int heads, int hidden);
// Returns true if the head uses the token embeddings. The key is at the top level or in
// text_config.
bool read_tied(const JsonFacts& config, const JsonFacts& text, bool absent);

// Returns the object rope_scaling, or rope_parameters as newer writers call it; without both, the
// configuration itself.
JsonFacts rope_facts(const JsonFacts& config);
double read_rope_theta(const JsonFacts& config);

// Reads generation_config.json; without that file, only the end token from config.json.
GenerationDefaults read_generation(FolderReader& folder, const JsonFacts& config, int vocab_size);

// Reads image_mean and image_std. Throws unless pixels are rescaled and normalised as usual.
preprocess::PixelNorm read_pixel_norm(const JsonFacts& preprocessor);
// Throws if the key is present with another value than `expected`.
void expect_integer(const JsonFacts& facts, const std::string& key, int expected);

}  // namespace fineprint::models
