// Describes what a model is made of, as plain values: vision tower, connector, trunk, head. Each
// family has a recipe that fills them from a model folder or a GGUF file (src/models/families); the
// room `nets` runs them.
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

// Activation functions and norms that the networks implement.
enum class Activation { gelu, gelu_tanh, quick_gelu, silu, tanh };
enum class NormKind { layer, rms };

// A vision transformer over images of one size, with learned positions (CLIP, SigLIP). Sources:
// Radford et al., "CLIP" (2021), section 2.4; Zhai et al., "SigLIP" (2023), section 3.
struct FixedTower {
  int layers = 0;       // in the checkpoint
  int used_layers = 0;  // how many of them are run
  int hidden = 0, heads = 0, intermediate = 0;
  int image_size = 0, patch = 14;  // pixels of a side; pixels outside of whole patches are ignored
  bool class_token = false;        // a first token, dropped from the output
  bool patch_bias = false;
  bool norm_before = false;  // a norm between the embeddings and the first layer
  bool norm_after = false;   // a norm after the last layer; else its weights, if any, are unused
  // A patch's position is its share of the image's side, computed in single precision as in the
  // reference: for some numbers of patches in a row, two neighbours get the same position. Source:
  // the reference's embeddings of Idefics3, after Dehghani et al., "Patch n' Pack" (2023), section
  // 2.1.
  bool bucketed_positions = false;
  Activation activation = Activation::gelu_tanh;
  double norm_eps = 1e-6;
};

// A vision transformer over images of any size, whose learned positions are a square table that is
// resized to the patches of an image (SigLIP 2 NaFlex). Source: Tschannen et al., "SigLIP 2"
// (2025), section 2.4.2, after Dehghani et al., "Patch n' Pack" (2023).
struct FlexibleTower {
  int layers = 0, hidden = 0, heads = 0, intermediate = 0;
  int patch = 16;
  int position_side = 16;  // positions in a row of the table
  // The patch embedding is stored as a convolution, channel by channel, as in GGUF files; else the
  // channels of a pixel follow each other.
  bool patch_planes = false;
  Activation activation = Activation::gelu_tanh;
  double norm_eps = 1e-6;
};

// A vision transformer over images of any size, with two-dimensional rotary positions. In some
// models most layers attend only within windows.
// Sources: Wang et al., "Qwen2-VL" (2024), section 2.1; Bai et al., "Qwen2.5-VL" (2025), 2.1.1; Bai
// et al., "Qwen3-VL Technical Report" (2025), section 2.
struct NativeTower {
  int layers = 0, hidden = 0, heads = 0, intermediate = 0;
  int patch = 14, temporal = 2, merge = 2;
  NormKind norm = NormKind::layer;
  bool gated = false;  // feed-forward: down(act(gate) * up), else down(act(up))
  Activation activation = Activation::quick_gelu;
  int window = 0;  // pixels of a window's side; 0: every layer attends to the whole image
  std::vector<int> full_attention_layers = {};  // the exceptions, if there are windows
  double norm_eps = 1e-6;
  double rope_theta = 10000;
  bool patch_bias = false;
  bool frames_apart = false;  // the patch embedding has one tensor for each frame
  bool qkv_apart = false;     // queries, keys and values have matrices of their own
  bool bias = true;           // of the layers' matrices
  bool norm_before = false;   // a norm between the embeddings and the first layer
  // Columns follow every second frequency of the head, rows the others; else both follow the same
  // ones. Source: Agrawal et al., "Pixtral 12B" (2024), section 2.2.
  bool alternating_frequencies = false;
  // Learned positions in addition: a square table with this many positions a side, which is
  // interpolated to the patches of an image; 0: none.
  int position_side = 0;
  // Layers after which the features of a further depth are taken, one depth for each. Source: Meng
  // et al., "DeepStack" (2024), section 3.1.
  std::vector<int> deep_layers = {};
};

// monostate: the model takes no images.
using Tower = std::variant<std::monostate, FixedTower, FlexibleTower, NativeTower>;

// merge x merge neighbouring patches become one token: norm, concatenate, linear, gelu, linear.
// Each further depth of the tower's features has layers of its own, which concatenate first.
struct MergeConnector {
  NormKind norm = NormKind::layer;
  int merge = 2;
  int in = 0, out = 0;  // width of a patch, width of a token
  double norm_eps = 1e-6;
  int further_depths = 0;
};

// merge x merge neighbouring patches become one token in two steps: norm, concatenate channel by
// channel, linear to the width of a patch without bias; then linear, gelu, linear. Source: the
// reference's code of Mistral Small 3.1.
struct PatchMergeConnector {
  int merge = 2;
  int in = 0, out = 0;  // width of a patch, width of a token
  double norm_eps = 1e-5;
  bool bias = false;  // of the second step
};

// Tiles and a global view become rows of tokens with learned separators (Phi-3-vision).
struct TileConnector {
  int merge = 2;
  int in = 0, out = 0;  // width of a patch, width of a token
};

// One linear layer (PaliGemma).
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

// merge x merge neighbouring patches of a view become one token ("pixel unshuffle"): concatenate,
// norm if there is one, linear, gelu, linear. Source: the reference's code of LFM2-VL.
struct UnshuffleConnector {
  int merge = 2;
  int in = 0, inner = 0, out = 0;  // width of a patch, between the layers, of a token
  bool norm = true;
  bool bias = true;  // of the two layers
  double norm_eps = 1e-5;
};

using Connector =
    std::variant<std::monostate, MergeConnector, PatchMergeConnector, TileConnector,
                 LinearConnector, ShuffleConnector, PoolConnector, UnshuffleConnector>;

// Rotary position embeddings. Source: Su et al., "RoFormer" (2021).
struct Rope {
  double theta = 10000;
  // How many frequencies follow time, height and width; empty: one-dimensional positions.
  std::vector<int> sections;
  // Time, height and width alternate from frequency to frequency while height and width have some
  // left; the rest is time's. Source: Bai et al., "Qwen3-VL Technical Report" (2025), section 2.1.
  bool interleaved = false;
  // Factors that divide the frequencies: the short ones if the largest position of a call is below
  // `original_positions`, else the long ones; empty: none. Source: Ding et al., "LongRoPE" (2024).
  std::vector<double> short_factors, long_factors;
  int original_positions = 0;
  double magnitude = 1;  // factor of cos and sin, if there are factors
  // How many values of a head are rotated, counted from the first; 0: all. Source: Black et al.,
  // "GPT-NeoX-20B" (2022), section 2.1.1.
  int width = 0;
};

// How the tokens of a layer see each other.
enum class LayerKind {
  full_attention,      // each token sees all before it
  windowed_attention,  // each token sees the last ones before it. Source: Beltagy et al.,
                       // "Longformer" (2020), section 3.1
  delta_rule,          // each token reads and changes one matrix a head that sums up all before it
  short_convolution,   // each token sees the inputs of the last ones before it, channel by channel
};

// Sizes of layers of LayerKind::delta_rule. Source: Yang et al., "Gated Delta Networks" (2025),
// section 3.
struct DeltaRule {
  int key_heads = 0, value_heads = 0;  // neighbouring value heads share a key head
  int key_dim = 0, value_dim = 0;      // width of a head
  int kernel = 0;  // inputs that the causal convolution sees, the token's own included
  // The order of GGUF files: value heads with the same index modulo the number of key heads share a
  // key head, not neighbours. Decays are stored as they are, not as logarithms.
  bool tiled = false;
};

// Layers of LayerKind::short_convolution: three vectors are computed from each token; the product
// of the first and the third goes through a causal convolution, whose output is multiplied by the
// second. Source: Liquid AI, "LFM2 Technical Report" (2025), section 2.
struct ShortConvolution {
  int kernel = 0;          // inputs that it sees, the token's own included
  bool bias = false;       // of its matrices and of the convolution
  bool as_matrix = false;  // the convolution is stored without an axis of length 1
};

// How the matrices of a layer's experts are stored.
enum class ExpertStore {
  matrices,      // each by itself, with a number in its name
  arrays,        // one array [experts, rows, columns] for each kind of matrix; gate and up in one
  turned_arrays  // the same with rows and columns exchanged
};

// A mixture of experts in place of a feed-forward network: a router gives each token weights over
// the experts, and only those of the largest weights read it. Source: Shazeer et al., "Outrageously
// Large Neural Networks" (2017), section 2.
struct Experts {
  int count = 0;                   // 0: no layer has experts
  int chosen = 0;                  // that read a token
  int intermediate = 0;            // width of each
  bool weights_sum_to_one = true;  // after the choice; the softmax before it is over all experts
  // Width of one more expert, which reads every token and whose output is multiplied by the sigmoid
  // of a gate; 0: none. Source: Yang et al., "Qwen2 Technical Report" (2024), section 2.2.2.
  int shared_intermediate = 0;
  bool flat_gate = false;    // that gate is stored as a list and not as a matrix of one row
  std::vector<bool> layers;  // which layers have them; empty: all
  // What the family's folders may have in place of matrices. Those of GGUF files are arrays.
  ExpertStore store = ExpertStore::matrices;
};

// A causal transformer with rotary positions, grouped keys and values, and a gated feed-forward
// network (Llama's layout). Source: Touvron et al., "LLaMA" (2023), section 2.2; further sources
// are given at the members.
struct Decoder {
  int layers = 0, hidden = 0, heads = 0, kv_heads = 0, head_dim = 0, intermediate = 0;
  int vocab_size = 0, max_positions = 0;
  Activation activation = Activation::silu;
  double norm_eps = 1e-6;
  bool norm_plus_one = false;  // norms scale by 1 + weight
  double embedding_scale = 1;  // factor of the embeddings of text tokens
  bool qkv_bias = false;
  // Queries and keys are normalised, each head separately, before they are rotated. Source: Yang et
  // al., "Qwen3 Technical Report" (2025), section 2.
  bool qk_norm = false;
  bool fused = false;                 // query, key, value in one tensor; gate and up in one
  bool prompt_bidirectional = false;  // tokens of the prompt see each other in both directions
  bool images_bidirectional = false;  // tokens of one image do; else each sees only earlier ones
  int first_position = 0;
  // Factor of the products of queries and keys; 0: 1 / sqrt(head_dim).
  double attention_scale = 0;
  // The output of attention is multiplied by the sigmoid of a gate, which is computed with the
  // token's queries. Source: Qiu et al., "Gated Attention for Large Language Models" (2025),
  // section 2.2.
  bool output_gate = false;
  // The outputs of attention and feed-forward network are normalised as well before they are added:
  // four norms in each layer. Source: Gemma Team, "Gemma 2" (2024), section 2.
  bool norms_behind = false;
  Rope rope;
  std::vector<LayerKind> kinds;  // one for each layer; empty: full attention in all
  // Tokens that a windowed layer sees, the own one included; if prompts see both directions, so
  // many in each.
  int window = 0;
  Rope window_rope;  // positions in windowed layers
  // Queries of position p are multiplied by 1 + growth * log(1 + floor(p / every)); 0: by nothing.
  // Source: Meta, "The Llama 4 herd" (2025); its reference code.
  double query_growth = 0;
  int query_growth_every = 0;
  // Layers whose queries and keys are not rotated; empty: none. Source: Kazemnejad et al., "The
  // Impact of Positional Encoding on Length Generalization" (2023).
  std::vector<bool> unrotated;
  // Caps: x becomes cap * tanh(x / cap), for the products of queries and keys, and for logits; 0:
  // none. Source: Gemma Team, "Gemma 2" (2024), section 2.
  double attention_cap = 0, logit_cap = 0;
  // Factor of the outputs of attention and feed-forward network before they are added, and the
  // number that logits are divided by. Source: IBM, "Granite 3.0 Language Models" (2024),
  // section 2.
  double residual_scale = 1, logit_divisor = 1;
  Experts experts;
  DeltaRule delta;
  ShortConvolution convolution;

  // Returns the kind of a layer, counted from 0.
  LayerKind kind(int layer) const {
    return kinds.empty() ? LayerKind::full_attention : kinds[static_cast<std::size_t>(layer)];
  }
  // Returns true if a layer's queries and keys are rotated.
  bool rotates(int layer) const {
    return unrotated.empty() || !unrotated[static_cast<std::size_t>(layer)];
  }
  // Returns true if a layer has experts.
  bool mixes_experts(int layer) const {
    return experts.count > 0 &&
           (experts.layers.empty() || experts.layers[static_cast<std::size_t>(layer)]);
  }
};

// A bidirectional transformer with learned positions. Source: Devlin et al., "BERT" (2019).
struct TextEncoder {
  int layers = 0, hidden = 0, heads = 0, intermediate = 0;
  int vocab_size = 0, max_positions = 0;
  int type_vocab_size = 0;  // 0: tokens have no types
  // Position of a text's first token; the table of positions has this many rows in addition to
  // `max_positions`. Source: the code of Liu et al., "RoBERTa" (2019), where the earlier rows
  // belong to padding.
  int first_position = 0;
  // If above 0, each head adds to a score a number for the distance of the two tokens. Distances
  // are sorted into this many kinds, and all layers share the numbers. Sources: Song et al.,
  // "MPNet" (2020), section 2.3; Raffel et al., "T5" (2020), section 2.1.
  int distance_kinds = 0;
  double norm_eps = 1e-12;
  // Weights and activations are 8-bit codes in products: approximate, CPU only.
  bool int8 = false;
};

// A text encoder with rotary positions and gated feed-forward networks: down(act(gate) * up).
// Sources: Warner et al., "ModernBERT" (2024), section 2.1; Zhang et al., "mGTE" (2024), section
// 2.1; Nussbaum et al., "Nomic Embed" (2024), section 4.1.
struct RotaryEncoder {
  int layers = 0, hidden = 0, heads = 0, intermediate = 0;
  int vocab_size = 0, max_positions = 0;
  // Tokens whose ids follow the vocabulary's. Their embeddings are in a table of their own, and no
  // head names them.
  int added_tokens = 0;
  int type_vocab_size = 0;  // 0: tokens have no types
  // Norms come before attention and feed-forward network, except before the first attention, and
  // there is one at the end. If false, they come after each sum.
  bool norm_first = false;
  bool norm_bias = false;
  bool attention_bias = false;
  bool up_bias = false, down_bias = false;
  bool fused = true;       // gate and up in one matrix
  bool gate_first = true;  // in that matrix, the gate comes first
  Activation activation = Activation::gelu;
  double norm_eps = 1e-5;
  Rope rope;
  // Positions of layers that see `window` tokens on each side and no others.
  Rope window_rope;
  int window = 0;
  std::vector<LayerKind> kinds;  // full or windowed, for each layer; empty: full attention in all

  // Returns true if a layer, counted from 0, sees only its window.
  bool windowed(int layer) const {
    return !kinds.empty() &&
           kinds[static_cast<std::size_t>(layer)] == LayerKind::windowed_attention;
  }
};

// The transformer between embeddings and head.
using Trunk = std::variant<Decoder, TextEncoder, RotaryEncoder>;

// How the hidden states of a text or page become vectors.
enum class Pooling {
  mean,         // one vector: the mean over all tokens
  first_token,  // one vector
  last_token,   // one vector
  every_token,  // one vector for each token
};

// A layer that is applied to each vector: act(W x + b), with or without the input added.
struct DenseLayer {
  std::string folder;  // folder of its weights, below the model folder
  int in = 0, out = 0;
  bool bias = true;
  std::optional<Activation> activation;
  bool residual = false;  // if in and out differ, through a matrix of its own
};

// How a cross-encoder computes one number for a pair of texts: act(W x + b) of the pooled state, a
// norm perhaps, and a layer with one output. Source: Nogueira and Cho, "Passage Re-ranking with
// BERT" (2019).
struct PairScore {
  Activation activation = Activation::tanh;
  bool bias = true;  // of the first layer
  bool norm = false, norm_bias = false;
  double norm_eps = 1e-5;
};

// How a sparse encoder weighs every token of its vocabulary for a text or a page image:
// norm(act(W x + b)) of each state, times the token's row, plus the token's bias, is a number; the
// weight is log(1 + max(0, number)), the largest over the text. Source: Formal et al., "SPLADE v2"
// (2021), section 3.1.
struct VocabularyHead {
  Activation activation = Activation::gelu;
  bool bias = true;  // of the layer
  bool norm_bias = true;
  double norm_eps = 1e-12;
  bool own_rows = false;   // the rows of tokens are weights of their own, not the embeddings
  double scale = 1;        // numbers are multiplied by it
  bool log_twice = false;  // the logarithm is applied a second time
  // Tokens, as the tokenizer's file writes them, whose weight is always 0, for questions too.
  std::vector<std::string> silent = {};
  // The folder, below the model's, of the weights that a question's tokens have; empty: questions
  // are read like passages. Source: Geng et al., "Towards Competitive Search Relevance For
  // Inference-Free Learned Sparse Retrievers" (2024), section 3.
  std::string query_folder = {};
  // A question's tokens weigh log(1 + exp(w e + b)), e being the token's row in a table of the
  // part "query", and as often as they occur. Source: Cho et al., "Inference-Free Multimodal
  // Learned Sparse Retrieval for Production-Scale Visual Document Search" (2026).
  bool query_rows = false;
};

// The computation after the trunk's last hidden states. Vectors have unit length, except sparse
// ones.
struct Head {
  bool generates = false;  // next-token logits
  bool tied = false;       // the logits use the token embeddings, else weights of their own
  // A model that can only judge has rows in place of the head: 2, for "yes" and "no", or 1, for how
  // much more likely "yes" is; 0: none.
  int verdicts = 0;
  Pooling pooling = Pooling::last_token;
  int projection = 0;  // width that vectors are projected to; 0: none
  bool projection_bias = false;
  std::vector<DenseLayer> dense;  // applied after pooling, or to the vector of every token
  std::optional<PairScore> pair;  // a cross-encoder: no vectors
  std::optional<VocabularyHead> vocabulary = {};  // a sparse encoder
  bool reads = false;                             // a QA model (models/qa_model.h): no vectors
};

// How a page becomes the picture that the model's image processor gets.
struct PageRaster {
  double dpi = 144;
  // Then the picture is stretched to a square of this many pixels a side, without keeping
  // proportions, by Pillow's bicubic filter; 0: it is left as it is.
  int stretch_to = 0;
};

// Sampling as generation_config.json asks for; options override it.
struct GenerationDefaults {
  std::vector<std::int64_t> end_tokens;
  double temperature = 0;  // 0: greedy
  int top_k = 0;           // 0: all
  double top_p = 1;
  double repetition_penalty = 1;
};

// A tensor of a part: its name in checkpoints and its shape.
struct TensorSpec {
  std::string name;  // below the part's prefix
  std::vector<std::int64_t> shape;
  // Another name below the prefix. It is read if `name` is absent and ignored if both are there.
  std::string alternative;
  // For matrices in GGUF files of some families; see Weight.
  int interleaved_heads = 0;
};
// All tensors of a part.
struct PartTensors {
  std::string part;                   // "tower", "connector", "trunk", "head", "projection", ...
  std::vector<std::string> prefixes;  // of published checkpoints; the first that fits counts
  std::vector<TensorSpec> tensors;
  // Tensors that may be there but are not read: whole names, or beginnings that end in '*'.
  std::vector<std::string> unused;
};

// One way in which matrices of a quantised folder are stored.
struct CodeScheme {
  tensorfile::CodeLayout layout = tensorfile::CodeLayout::packed;
  int bits = 4;
  // Size of the block of values that shares a scale; 0: all rows, or all columns.
  int block_rows = 1, block_columns = 0;
  // True if the file gives the code of zero; else it is the middle code.
  bool has_zeros = false;
  bool zeros_less_one = false;  // zeros are stored less one, as in GPTQ's first version
  // Modules that are stored in this way: names, "re:" patterns, or the class "Linear"; empty: all.
  std::vector<std::string> targets = {};
};

// The contents of quantization_config in config.json.
struct Quantisation {
  std::string file;    // the file that contains it
  std::string method;  // "awq", "gptq", "compressed-tensors", "fp8"
  std::vector<CodeScheme> schemes;
  // Modules that are not quantised, with everything below them: names, parts of names between dots,
  // or "re:" patterns.
  std::vector<std::string> ignored;
};

// The contents of adapter_config.json of a LoRA adapter. Source: Hu et al., "LoRA" (2021), section
// 4.1; the factor alpha / sqrt(rank): Kalajdzievski, "rsLoRA" (2023).
struct Adapter {
  std::string dir;
  int rank = 0;
  double scale = 1;  // alpha / rank, or alpha / sqrt(rank)
  // Last parts of the names of the modules that it changes, for example "q_proj"; empty: the
  // adapter chose them by a pattern.
  std::vector<std::string> targets;
  bool every_target = true;               // every module of such a name is changed, in all layers
  std::vector<std::string> replacements;  // last parts of names of modules that it replaces
};

// Everything about a model except the weights themselves.
struct ModelSpec {
  std::string family;          // the recipe's name
  std::string name;            // for people
  std::string dir;             // the folder, or the GGUF file
  std::string projector = {};  // the second GGUF file, with tower and connector; or ""
  std::string blind = {};      // why the model of a GGUF file takes no images, for people; or ""
  bool projector_unreadable = false;  // the reason: a projector file cannot be read
  std::string tokenizer_path;
  std::optional<Quantisation> quantisation;
  std::optional<Adapter> adapter;  // applied to the weights in `dir`
  std::vector<std::string> files;  // files that were read, and the tokenizer's; without the weights
  // An encoder that `train retriever` trained with HKRAG's mask (Eq. 4 or 5): see kTrainingRecord.
  bool trained_mask = false;

  Tower tower;
  Connector connector;
  Trunk trunk;
  Head head;
  preprocess::ImageProcessor processor;  // if there is a tower
  PageRaster raster;                     // of pages to embed, if there is a tower
  Prompt prompt;
  GenerationDefaults generation;
  std::vector<PartTensors> parts;

  // Returns true if the model takes images.
  bool sees() const { return !std::holds_alternative<std::monostate>(tower); }
};

// The file in a trained model's folder that records its training: {"loss": NAME, "mask": true if
// the loss masks pages}. Models that others trained have none.
inline constexpr const char* kTrainingRecord = "fineprint_training.json";

// Returns the folder or file that SPEC names: a folder, a GGUF file, a folder with a GGUF file, or
// `org/name` in the Hugging Face cache (without network: the snapshot that refs/main names).
// `hub_cache` is $HF_HUB_CACHE, $HF_HOME/hub or ~/.cache/huggingface/hub, which the caller reads
// from the environment; empty: no cache. "TEXT.gguf+MMPROJ.gguf" names a language model and its
// tower and is returned unchanged. Throws Error(model) that lists every place searched.
std::string find_model(const std::string& spec, const std::string& hub_cache = {});

// The text encoder for a hundred languages that scripts/data/get-e5 installs next to the program:
// multilingual-e5-small.
inline constexpr std::string_view kMultilingualEncoder = "e5";

// The best encoder for texts of many languages that runs here on a small machine: EmbeddingGemma,
// whose terms the user has to accept.
inline constexpr std::string_view kGemmaEncoder = "embeddinggemma";

// Does the same for text encoders. "" means the default one: all-MiniLM-L6-v2 as setup installed it
// (in the folder FINEPRINT_MODELS that is compiled in, then next to the program).
// kMultilingualEncoder and kGemmaEncoder are also found next to the program, unless a folder has
// that name.
std::string find_text_encoder(const std::string& spec, const std::string& hub_cache = {});

// A text encoder that has a name of its own: its SPEC, the folder that is taken, or that would be
// if it were there, and whether it is.
struct NamedEncoder {
  std::string spec, place;
  bool found = false;
};
std::vector<NamedEncoder> named_encoders();

// SPEC of the QA model that comes with the program, unless a folder has that name. It is in the
// sources (configs/qa-model), else next to the program.
inline constexpr std::string_view kBuiltInQaModel = "reader";

// Does the same for rerankers; kBuiltInQaModel is one. Throws Error(model) as find_model does.
std::string find_reranker(const std::string& spec, const std::string& hub_cache = {});
// Returns true if kBuiltInQaModel is installed.
bool has_qa_model();

// Reads the small files of a folder, or the header of a GGUF file, and checks that its tokenizer is
// there. Reads no weights. The tower of a GGUF file is the file named after the '+', or the one
// next to it that belongs to it.
//
// A folder with adapter_config.json is a LoRA adapter. Its base model is found by
// base_model_name_or_path, relative to the adapter or in the cache, and files of the adapter
// override those of the base.
//
// Throws Error(model) that names the file and the key that is missing, absurd or unsupported. Takes
// little memory whatever the files contain, because every size is bounded.
ModelSpec read_model(const std::string& dir, const std::string& hub_cache = {});

// Returns true if a language model can be asked whether a document answers a question.
bool judges_pairs(const ModelSpec& spec);

// Prefix of an encoder's SPEC that asks for products of 8-bit codes; only text encoders have them.
// The vectors differ from those of the same model without the prefix.
inline constexpr std::string_view kInt8Prefix = "int8:";

// SPEC of the text encoder for new vector sets "text": the default one, in 8 bits. Sets that were
// made with "" stay in float32.
inline constexpr std::string_view kNewTextSets = kInt8Prefix;

// Combines find_text_encoder and read_model for a SPEC that may begin with kInt8Prefix. `given`
// overrides the prefixes of encoders of one vector for each text, except the default one. Throws
// what both functions throw, and Error(usage) for a cross-encoder or for kInt8Prefix before a model
// without such products.
ModelSpec read_encoder(const std::string& spec, const std::string& hub_cache = {},
                       const GivenPrefixes& given = {});

// Combines find_model and read_model for a cross-encoder, a QA model, or a language model that
// judges pairs. Throws what both throw, and Error(usage) for any other model.
ModelSpec read_reranker(const std::string& spec, const std::string& hub_cache = {});

// Does the same for a QA model. Throws Error(usage) for any other model.
ModelSpec read_qa_model(const std::string& spec, const std::string& hub_cache = {});

}  // namespace fineprint::models
