// What a model is made of, as plain values: vision tower, connector, trunk, head. Families are
// recipes that fill these from a model folder or a GGUF file (src/models/families); `nets` runs
// them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fineprint/models/prefixes.h"
#include "fineprint/models/prompt.h"
#include "fineprint/preprocess/image_processor.h"
#include "fineprint/tensorfile/coded.h"

namespace fineprint::models {

enum class Activation { gelu, gelu_tanh, quick_gelu, silu, tanh };
enum class NormKind { layer, rms };

// A vision transformer over images of one size, with learned positions (CLIP, SigLIP).
// Sources: Radford et al., "CLIP" (2021), section 2.4; Zhai et al., "SigLIP" (2023), section 3.
struct FixedTower {
  int layers = 0;       // in the checkpoint
  int used_layers = 0;  // that are run
  int hidden = 0, heads = 0, intermediate = 0;
  int image_size = 0, patch = 14;  // pixels a side; what no patch covers is not looked at
  bool class_token = false;        // a first token, dropped from the output
  bool patch_bias = false;
  bool norm_before = false;  // a norm between the embeddings and the first layer
  bool norm_after = false;   // a norm after the last layer; else its weights, if any, are unused
  // Positions go by a patch's share of the image's side, in single precision: of some numbers of
  // patches a side, two neighbours have one position. Source: the reference's embeddings of
  // Idefics3, after Dehghani et al., "Patch n' Pack" (2023), section 2.1.
  bool bucketed_positions = false;
  Activation activation = Activation::gelu_tanh;
  double norm_eps = 1e-6;
};

// A vision transformer over patches of images of any size, with two-dimensional rotary positions;
// in some models most layers attend within windows only.
// Sources: Wang et al., "Qwen2-VL" (2024), section 2.1; Bai et al., "Qwen2.5-VL" (2025), 2.1.1; Bai
// et al., "Qwen3-VL Technical Report" (2025), section 2.
struct NativeTower {
  int layers = 0, hidden = 0, heads = 0, intermediate = 0;
  int patch = 14, temporal = 2, merge = 2;
  NormKind norm = NormKind::layer;
  bool gated = false;  // feed-forward: down(act(gate) * up), else down(act(up))
  Activation activation = Activation::quick_gelu;
  int window = 0;  // pixels a side of a window; 0: every layer attends to the whole image
  std::vector<int> full_attention_layers = {};  // the exceptions, with windows
  double norm_eps = 1e-6;
  double rope_theta = 10000;
  bool patch_bias = false;
  bool frames_apart = false;  // the patches' matrix has a tensor for each frame
  // Learned positions as well: so many a side of a square, between which those of an image's
  // patches are interpolated; 0: none.
  int position_side = 0;
  // Layers behind which features of a further depth are taken, depth by depth.
  // Source: Meng et al., "DeepStack" (2024), section 3.1.
  std::vector<int> deep_layers = {};
};

using Tower = std::variant<std::monostate, FixedTower, NativeTower>;

// merge x merge neighbouring patches become one token: norm, concatenate, linear, gelu, linear.
// Each further depth of the tower's features has such layers of its own, which concatenate first.
struct MergeConnector {
  NormKind norm = NormKind::layer;
  int merge = 2;
  int in = 0, out = 0;  // width of a patch, width of a token
  double norm_eps = 1e-6;
  int further_depths = 0;
};

// Tiles and a global view become rows of tokens with learned separators.
struct TileConnector {
  int merge = 2;
  int in = 0, out = 0;  // width of a patch, width of a token
};

// One linear layer.
struct LinearConnector {
  int in = 0, out = 0;
};

// merge x merge neighbouring patches become one token ("pixel shuffle"): concatenate, linear
// without bias. Source: Laurencon et al. (2024), section 3.1, after Chen et al., "InternVL 1.5"
// (2024), section 3.1.
struct ShuffleConnector {
  int merge = 2;
  int in = 0, out = 0;  // width of a patch, width of a token
};

// The mean of pool x pool neighbouring patches becomes one token: norm, one linear layer without
// bias. Source: Gemma Team, "Gemma 3 Technical Report" (2025), section 2.1.
struct PoolConnector {
  int pool = 4;
  int in = 0, out = 0;  // width of a patch, width of a token
  double norm_eps = 1e-6;
  bool norm_plus_one = true;  // the norm scales by 1 + weight
};

using Connector = std::variant<std::monostate, MergeConnector, TileConnector, LinearConnector,
                               ShuffleConnector, PoolConnector>;

// Rotary positions of a decoder.
struct Rope {
  double theta = 10000;
  // Frequencies that follow time, height and width; empty: one-dimensional positions.
  std::vector<int> sections;
  // The three take turns, frequency by frequency, as long as height and width have some left; the
  // rest is time's. Source: Bai et al., "Qwen3-VL Technical Report" (2025), section 2.1.
  bool interleaved = false;
  // Factors that divide the frequencies: short ones while the largest position of a call is below
  // `original_positions`, long ones after; empty: none. Source: Ding et al., "LongRoPE" (2024).
  std::vector<double> short_factors, long_factors;
  int original_positions = 0;
  double magnitude = 1;  // of cos and sin, with factors
  // How many of a head's values are turned, the first ones; 0: all.
  // Source: Black et al., "GPT-NeoX-20B" (2022), section 2.1.1.
  int width = 0;
};

// How the tokens of a decoder's layer see each other.
enum class LayerKind {
  full_attention,      // each sees all before it
  windowed_attention,  // each sees the last ones before it. Source: Beltagy et al., "Longformer"
                       // (2020), section 3.1
  delta_rule,          // each reads and changes one matrix a head that sums up all before it
};

// Of layers of LayerKind::delta_rule. Source: Yang et al., "Gated Delta Networks" (2025),
// section 3.
struct DeltaRule {
  int key_heads = 0, value_heads = 0;  // neighbouring value heads share a key head
  int key_dim = 0, value_dim = 0;      // of a head
  int kernel = 0;  // inputs that the causal convolution before it looks at, the token's included
  // As GGUF files keep it: value heads that have the same remainder by the number of key heads
  // share one, not neighbours; decays are stored as they are, not as logarithms.
  bool tiled = false;
};

// A causal transformer with rotary positions, grouped keys and values, and a gated feed-forward
// (Llama's layout). Source: Touvron et al., "LLaMA" (2023), section 2.2, and what is named above.
struct Decoder {
  int layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, intermediate = 0;
  int vocab_size = 0, max_positions = 0;
  Activation activation = Activation::silu;
  double norm_eps = 1e-6;
  bool norm_plus_one = false;  // norms scale by 1 + weight
  double embedding_scale = 1;  // of text tokens' embeddings
  bool qkv_bias = false;
  // Queries and keys are normed, each head by itself, before they are rotated.
  // Source: Yang et al., "Qwen3 Technical Report" (2025), section 2.
  bool qk_norm = false;
  bool fused = false;                 // query, key, value in one tensor; gate and up in one
  bool prompt_bidirectional = false;  // tokens of the prompt see each other both ways
  bool images_bidirectional = false;  // those of one image do; else each sees what is before it
  int first_position = 0;
  // Products of queries and keys are scaled by; 0: 1 / sqrt(head_dim).
  double attention_scale = 0;
  // What attention comes to is multiplied by the sigmoid of a gate, which the token's queries come
  // with. Source: Qiu et al., "Gated Attention for Large Language Models" (2025), section 2.2.
  bool output_gate = false;
  // What attention and feed-forward come to is normed, too, before it is added: four norms a layer.
  // Source: Gemma Team, "Gemma 2" (2024), section 2.
  bool norms_behind = false;
  Rope rope;
  std::vector<LayerKind> kinds;  // of each layer; empty: full attention in all
  int window = 0;                // tokens that a windowed layer's see, themselves included
  Rope window_rope;              // of windowed layers
  DeltaRule delta;

  LayerKind kind(int layer) const {
    return kinds.empty() ? LayerKind::full_attention : kinds[static_cast<std::size_t>(layer)];
  }
};

// Source: Devlin et al., "BERT" (2019).
struct TextEncoder {
  int layers = 0, hidden = 0, heads = 0, intermediate = 0;
  int vocab_size = 0, max_positions = 0;
  int type_vocab_size = 0;  // 0: tokens have no types
  // Of a text's first token in the table of positions, which has so many rows more than
  // `max_positions`. Source: the code of Liu et al., "RoBERTa" (2019), where those before are the
  // padding's.
  int first_position = 0;
  // Over 0: heads add to each score a number for the distance of the two tokens, which are sorted
  // into so many kinds; of all layers the same. Sources: Song et al., "MPNet" (2020), section 2.3;
  // Raffel et al., "T5" (2020), section 2.1.
  int distance_kinds = 0;
  double norm_eps = 1e-12;
  // Products of codes of eight bits, weights and activations: approximate, on the CPU only.
  bool int8 = false;
};

// An encoder of texts with rotary positions and gated feed-forwards: down(act(gate) * up). Sources:
// Warner et al., "ModernBERT" (2024), section 2.1; Zhang et al., "mGTE" (2024), section 2.1;
// Nussbaum et al., "Nomic Embed" (2024), section 4.1.
struct RotaryEncoder {
  int layers = 0, hidden = 0, heads = 0, intermediate = 0;
  int vocab_size = 0, max_positions = 0;
  int type_vocab_size = 0;  // 0: tokens have no types
  // Norms before attention and feed-forward, but not before the first attention, and one at the
  // end; else after each sum.
  bool norm_first = false;
  bool norm_bias = false;
  bool attention_bias = false;
  bool up_bias = false, down_bias = false;
  bool fused = true;       // gate and up in one matrix
  bool gate_first = true;  // in that
  Activation activation = Activation::gelu;
  double norm_eps = 1e-5;
  Rope rope;
  // Of layers that see `window` tokens to each side and no others.
  Rope window_rope;
  int window = 0;
  std::vector<LayerKind> kinds;  // full or windowed, of each layer; empty: full attention in all

  bool windowed(int layer) const {
    return !kinds.empty() &&
           kinds[static_cast<std::size_t>(layer)] == LayerKind::windowed_attention;
  }
};

using Trunk = std::variant<Decoder, TextEncoder, RotaryEncoder>;

enum class Pooling {
  mean,         // one vector: the mean over all tokens
  first_token,  // one vector
  last_token,   // one vector
  every_token,  // a vector a token
};

// A layer that vectors pass, each by itself: act(W x + b), the input added or not.
struct DenseLayer {
  std::string folder;  // below the model's: where its weights are
  int in = 0, out = 0;
  bool bias = true;
  std::optional<Activation> activation;
  bool residual = false;  // where in and out differ, through a matrix of its own
};

// How one number is read off a pair of texts: act(W x + b) of the pooled state, a norm perhaps,
// and a layer with one output. Source: Nogueira and Cho, "Passage Re-ranking with BERT" (2019).
struct PairScore {
  Activation activation = Activation::tanh;
  bool bias = true;  // of the first of the two
  bool norm = false, norm_bias = false;
  double norm_eps = 1e-5;
};

// What is read off the trunk's last hidden states. Vectors have unit length.
struct Head {
  bool generates = false;  // next-token logits
  bool tied = false;       // by the token embeddings, else by weights of their own
  Pooling pooling = Pooling::last_token;
  int projection = 0;  // width that vectors are projected to; 0: none
  bool projection_bias = false;
  std::vector<DenseLayer> dense;  // after the pooling, or of every token's vector
  std::optional<PairScore> pair;  // a cross-encoder: no vectors
  bool reads = false;             // points at answers (models/reader.h): no vectors
};

// How a page becomes the picture that the model's image processor is given.
struct PageRaster {
  double dpi = 144;
  // Then stretched to a square of so many pixels a side, proportions not kept, by Pillow's bicubic
  // filter; 0: left as it is.
  int stretch_to = 0;
};

// Sampling as generation_config.json asks; flags override.
struct GenerationDefaults {
  std::vector<std::int64_t> end_tokens;
  double temperature = 0;  // 0: greedy
  int top_k = 0;           // 0: all
  double top_p = 1;
  double repetition_penalty = 1;
};

// Where a part's tensors lie in a checkpoint, and their shapes.
struct TensorSpec {
  std::string name;  // below the part's prefix
  std::vector<std::int64_t> shape;
  // Another name below the prefix, read when `name` is absent and left alone when both are there.
  std::string alternative;
  // Of matrices in GGUF files of some families; see Weight.
  int interleaved_heads = 0;
};
struct PartTensors {
  std::string part;                   // "tower", "connector", "trunk", "head", "projection", ...
  std::vector<std::string> prefixes;  // that published checkpoints use; the first that fits counts
  std::vector<TensorSpec> tensors;
  // Tensors that may be there and are not read: whole names, or beginnings that end in '*'.
  std::vector<std::string> unused;
};

// One way in which matrices of a quantised folder are stored.
struct CodeScheme {
  tensorfile::CodeLayout layout = tensorfile::CodeLayout::packed;
  int bits = 4;
  // Of the block of values that shares a scale; 0: all rows, or all columns.
  int block_rows = 1, block_columns = 0;
  // Whether the file says which code stands for zero; else it is the one in the middle.
  bool has_zeros = false;
  bool zeros_less_one = false;  // GPTQ's first version stores them so
  // Modules that are stored so: names, "re:" patterns, or the class "Linear"; empty: all.
  std::vector<std::string> targets = {};
};

// What config.json's quantization_config says.
struct Quantisation {
  std::string file;    // that says so
  std::string method;  // "awq", "gptq", "compressed-tensors", "fp8"
  std::vector<CodeScheme> schemes;
  // Modules that are not quantised, with what lies below them: names, their parts between dots, or
  // "re:" patterns.
  std::vector<std::string> ignored;
};

// What a LoRA adapter's adapter_config.json says. Source: Hu et al., "LoRA" (2021), section 4.1;
// the factor alpha / sqrt(rank): Kalajdzievski, "rsLoRA" (2023).
struct Adapter {
  std::string dir;
  int rank = 0;
  double scale = 1;  // alpha / rank, or alpha / sqrt(rank)
  // Last names of the modules it changes ("q_proj"); empty: a pattern chose them.
  std::vector<std::string> targets;
  bool every_target = true;               // every module so named is changed, in all layers
  std::vector<std::string> replacements;  // last names of modules that it replaces as a whole
};

struct ModelSpec {
  std::string family;                 // the recipe's name
  std::string name;                   // for people
  std::string dir;                    // or the GGUF file
  std::string projector = {};         // the second GGUF file, with tower and connector; or ""
  std::string blind = {};             // why a GGUF file's model sees nothing, for people; or ""
  bool projector_unreadable = false;  // that is why
  std::string tokenizer_path;
  std::optional<Quantisation> quantisation;
  std::optional<Adapter> adapter;  // laid over the weights in `dir`
  std::vector<std::string> files;  // that were read, and the tokenizer's; without the weights

  Tower tower;
  Connector connector;
  Trunk trunk;
  Head head;
  preprocess::ImageProcessor processor;  // when there is a tower
  PageRaster raster;                     // of pages that are embedded, when there is a tower
  Prompt prompt;
  GenerationDefaults generation;
  std::vector<PartTensors> parts;

  bool sees() const { return !std::holds_alternative<std::monostate>(tower); }
};

// Finds the folder that SPEC names: a folder, a GGUF file or a folder with one, or `org/name` in
// the Hugging Face cache (offline, the snapshot that refs/main names; `hub_cache` is $HF_HUB_CACHE,
// $HF_HOME/hub or
// ~/.cache/huggingface/hub, read by the caller; empty: none). "TEXT.gguf+MMPROJ.gguf" names a
// language model and its tower, and comes back as it is. Throws Error(model) naming every
// place looked in.
std::string find_model(const std::string& spec, const std::string& hub_cache = {});

// The encoder of texts in a hundred languages that scripts/get-e5 puts beside the program:
// multilingual-e5-small.
inline constexpr std::string_view kMultilingualEncoder = "e5";

// The same for the text encoder; "" is the default one: all-MiniLM-L6-v2 as the set-up installed it
// (FINEPRINT_MODELS folder compiled in, then beside the program); kMultilingualEncoder is found
// beside the program too, unless a folder is so called.
std::string find_text_encoder(const std::string& spec, const std::string& hub_cache = {});

// The reader that comes with the program, where no folder is so called: that of the sources
// (configs/reader), then beside the program.
inline constexpr std::string_view kBuiltInReader = "reader";

// The same for rerankers; kBuiltInReader is one. Throws Error(model) as find_model.
std::string find_reranker(const std::string& spec, const std::string& hub_cache = {});
// Whether kBuiltInReader is there.
bool has_reader();

// Reads the small files of a folder, or the head of a GGUF file, and sees that its tokenizer is
// there; no weights. A GGUF file's tower is the one named behind it, or the one beside it that
// belongs to it. A folder with adapter_config.json is a LoRA adapter: its base model is found
// by the adapter's base_model_name_or_path (relative to the adapter or in the cache), and files
// beside the adapter go before the base's. Throws Error(model) naming the file and the key that is
// missing, absurd or unsupported. Whatever the files say, takes little memory: every size is
// bounded.
ModelSpec read_model(const std::string& dir, const std::string& hub_cache = {});

// What an encoder's SPEC begins with when its products are to be of codes of eight bits; only
// models that embed texts have them. Their vectors are not those of the same model without it.
inline constexpr std::string_view kInt8Prefix = "int8:";

// SPEC of the text encoder that a new vector set "text" is made with: the default one, in eight
// bits. Sets that were made with "" go on in float32.
inline constexpr std::string_view kNewTextSets = kInt8Prefix;

// find_text_encoder and read_model for a SPEC that may begin with kInt8Prefix. Throws what they do,
// and Error(usage) for the prefix before a model without such products, and for a cross-encoder.
// `given` holds for encoders of one vector a text, but for the default one.
ModelSpec read_encoder(const std::string& spec, const std::string& hub_cache = {},
                       const GivenPrefixes& given = {});

// find_model and read_model for a cross-encoder, a reader, or a language model that judges pairs.
// Throws what they do, and Error(usage) for a model that is none of them.
ModelSpec read_reranker(const std::string& spec, const std::string& hub_cache = {});

// The same for a reader. Throws Error(usage) for any other model.
ModelSpec read_reader(const std::string& spec, const std::string& hub_cache = {});

// The families that read_model knows.
std::vector<std::string> family_names();

}  // namespace fineprint::models
