// Lists the tensors of each kind of part, with their shapes. A wrong shape here is an error for
// every checkpoint of a family, so each function follows the layout of one published
// implementation.
#include "models/parts.h"

#include <utility>

#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

using Shape = std::vector<std::int64_t>;

// Collects the tensors of one part.
class List {
 public:
  List(std::string part, Prefixes prefixes) {
    made_.part = std::move(part);
    made_.prefixes = std::move(prefixes);
  }

  void tensor(const std::string& name, Shape shape) {
    made_.tensors.push_back({name, std::move(shape), {}});
  }
  void linear(const std::string& name, std::int64_t out, std::int64_t in, bool bias) {
    tensor(name + ".weight", {out, in});
    if (bias) tensor(name + ".bias", {out});
  }
  // RMS norms have no bias.
  void norm(const std::string& name, std::int64_t width, NormKind kind) {
    tensor(name + ".weight", {width});
    if (kind == NormKind::layer) tensor(name + ".bias", {width});
  }
  // Gives the tensors whose names begin with `name` a second name.
  void also_called(const std::string& name, const std::string& published) {
    if (published.empty() || published == name) return;
    for (TensorSpec& tensor : made_.tensors) {
      if (!tensor.alternative.empty() || !tensor.name.starts_with(name + ".")) continue;
      tensor.alternative = published + tensor.name.substr(name.size());
    }
  }
  // Lists a name, below each prefix, that may be there and is not read.
  void unused(const std::string& name) {
    for (const std::string& prefix : made_.prefixes) made_.unused.push_back(prefix + name);
  }

  PartTensors made_;
};

std::string layer_name(const std::string& list, int index) {
  return list + "." + std::to_string(index) + ".";
}

// transformers' names of CLIP and SigLIP.
void add_siglip_layer(int width, int inner, const std::string& layer, List* list) {
  list->norm(layer + "layer_norm1", width, NormKind::layer);
  list->norm(layer + "layer_norm2", width, NormKind::layer);
  for (const char* name :
       {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj", "self_attn.out_proj"}) {
    list->linear(layer + name, width, width, true);
  }
  list->linear(layer + "mlp.fc1", inner, width, true);
  list->linear(layer + "mlp.fc2", width, inner, true);
}

// Names of Qwen2-VL's own code; Qwen3-VL's checkpoints have the alternatives.
void add_native_layer(const NativeTower& tower, const std::string& layer, List* list) {
  const int width = tower.hidden;
  list->norm(layer + "norm1", width, tower.norm);
  list->norm(layer + "norm2", width, tower.norm);
  if (tower.qkv_apart) {
    for (const char* name : {"attn.q", "attn.k", "attn.v"}) {
      list->linear(layer + name, width, width, tower.bias);
    }
  } else {
    // In this order.
    list->linear(layer + "attn.qkv", 3 * width, width, tower.bias);
  }
  list->linear(layer + "attn.proj", width, width, tower.bias);
  if (tower.gated) {
    list->linear(layer + "mlp.gate_proj", tower.intermediate, width, tower.bias);
    list->linear(layer + "mlp.up_proj", tower.intermediate, width, tower.bias);
    list->linear(layer + "mlp.down_proj", width, tower.intermediate, tower.bias);
  } else {
    list->linear(layer + "mlp.fc1", tower.intermediate, width, tower.bias);
    list->linear(layer + "mlp.fc2", width, tower.intermediate, tower.bias);
    list->also_called(layer + "mlp.fc1", layer + "mlp.linear_fc1");
    list->also_called(layer + "mlp.fc2", layer + "mlp.linear_fc2");
  }
}

// `normed` is the width of its norm; `published` is what later checkpoints have in place of
// `below`.
void add_merge_connector(const MergeConnector& connector, std::int64_t normed,
                         const std::string& below, const std::string& published, List* list) {
  const std::int64_t merged = std::int64_t{connector.in} * connector.merge * connector.merge;
  list->norm(below + "ln_q", normed, connector.norm);
  list->linear(below + "mlp.0", merged, merged, true);
  list->linear(below + "mlp.2", connector.out, merged, true);
  list->also_called(below + "ln_q", published + "norm");
  list->also_called(below + "mlp.0", published + "linear_fc1");
  list->also_called(below + "mlp.2", published + "linear_fc2");
}

void add_delta_rule(const Decoder& decoder, const std::string& layer, List* list) {
  const DeltaRule& rule = decoder.delta;
  const std::int64_t hidden = decoder.hidden, heads = rule.value_heads;
  const std::int64_t values = heads * rule.value_dim;
  // One convolution covers queries and keys, which have equal widths, and values.
  const std::int64_t channels = 2 * std::int64_t{rule.key_heads} * rule.key_dim + values;
  list->linear(layer + "in_proj_qkv", channels, hidden, false);
  list->linear(layer + "in_proj_z", values, hidden, false);
  list->linear(layer + "in_proj_b", heads, hidden, false);
  list->linear(layer + "in_proj_a", heads, hidden, false);
  list->tensor(layer + "conv1d.weight",
               rule.tiled ? Shape{channels, rule.kernel} : Shape{channels, 1, rule.kernel});
  list->tensor(layer + "A_log", {heads});
  list->tensor(layer + "dt_bias", {heads});
  list->norm(layer + "norm", rule.value_dim, NormKind::rms);
  list->linear(layer + "out_proj", hidden, values, false);
}

void add_short_convolution(const Decoder& decoder, const std::string& layer, List* list) {
  const ShortConvolution& convolution = decoder.convolution;
  const std::int64_t hidden = decoder.hidden;
  list->linear(layer + "in_proj", 3 * hidden, hidden, convolution.bias);
  list->tensor(layer + "conv.weight", convolution.as_matrix ? Shape{hidden, convolution.kernel}
                                                            : Shape{hidden, 1, convolution.kernel});
  if (convolution.bias) list->tensor(layer + "conv.bias", {hidden});
  list->linear(layer + "out_proj", hidden, hidden, convolution.bias);
}

void add_attention(const Decoder& decoder, const std::string& layer, List* list) {
  const std::int64_t hidden = decoder.hidden;
  const std::int64_t queries = std::int64_t{decoder.heads} * decoder.head_dim;
  const std::int64_t keys = std::int64_t{decoder.kv_heads} * decoder.head_dim;
  if (decoder.fused) {
    list->linear(layer + "qkv_proj", queries + 2 * keys, hidden, decoder.qkv_bias);
  } else {
    // With an output gate, the matrix of queries also computes the gate.
    list->linear(layer + "q_proj", decoder.output_gate ? 2 * queries : queries, hidden,
                 decoder.qkv_bias);
    list->linear(layer + "k_proj", keys, hidden, decoder.qkv_bias);
    list->linear(layer + "v_proj", keys, hidden, decoder.qkv_bias);
  }
  if (decoder.qk_norm) {
    list->norm(layer + "q_norm", decoder.head_dim, NormKind::rms);
    list->norm(layer + "k_norm", decoder.head_dim, NormKind::rms);
  }
  list->linear(layer + "o_proj", hidden, queries, false);
}

// The names of folders, which have three matrices for each expert. GGUF files have one array of all
// experts' matrices, which is cut up when it is opened.
void add_experts(const Decoder& decoder, const std::string& layer, List* list) {
  const std::int64_t hidden = decoder.hidden, inner = decoder.experts.intermediate;
  if (const std::int64_t shared = decoder.experts.shared_intermediate; shared > 0) {
    list->linear(layer + "shared_expert.gate_proj", shared, hidden, false);
    list->linear(layer + "shared_expert.up_proj", shared, hidden, false);
    list->linear(layer + "shared_expert.down_proj", hidden, shared, false);
    // Its one row is a list of numbers in GGUF files.
    list->tensor(layer + "shared_expert_gate.weight",
                 decoder.experts.flat_gate ? Shape{hidden} : Shape{1, hidden});
  }
  list->linear(layer + "gate", decoder.experts.count, hidden, false);
  for (int i = 0; i < decoder.experts.count; ++i) {
    const std::string expert = layer + layer_name("experts", i);
    list->linear(expert + "gate_proj", inner, hidden, false);
    list->linear(expert + "up_proj", inner, hidden, false);
    list->linear(expert + "down_proj", hidden, inner, false);
  }
}

void add_decoder_layer(const Decoder& decoder, int index, const std::string& layer, List* list) {
  const std::int64_t hidden = decoder.hidden, inner = decoder.intermediate;
  list->norm(layer + "input_layernorm", hidden, NormKind::rms);
  list->norm(layer + "post_attention_layernorm", hidden, NormKind::rms);
  if (decoder.norms_behind) {
    list->norm(layer + "pre_feedforward_layernorm", hidden, NormKind::rms);
    list->norm(layer + "post_feedforward_layernorm", hidden, NormKind::rms);
  }
  if (decoder.kind(index) == LayerKind::delta_rule) {
    add_delta_rule(decoder, layer + "linear_attn.", list);
  } else if (decoder.kind(index) == LayerKind::short_convolution) {
    add_short_convolution(decoder, layer + "conv.", list);
  } else {
    add_attention(decoder, layer + "self_attn.", list);
  }
  if (decoder.mixes_experts(index)) return add_experts(decoder, layer + "mlp.", list);
  if (decoder.fused) {
    list->linear(layer + "mlp.gate_up_proj", 2 * inner, hidden, false);
  } else {
    list->linear(layer + "mlp.gate_proj", inner, hidden, false);
    list->linear(layer + "mlp.up_proj", inner, hidden, false);
  }
  list->linear(layer + "mlp.down_proj", hidden, inner, false);
}

// transformers' names of BERT.
void add_encoder_layer(const TextEncoder& encoder, const std::string& layer, List* list) {
  const int width = encoder.hidden;
  for (const char* name : {"attention.self.query", "attention.self.key", "attention.self.value",
                           "attention.output.dense"}) {
    list->linear(layer + name, width, width, true);
  }
  list->norm(layer + "attention.output.LayerNorm", width, NormKind::layer);
  list->linear(layer + "intermediate.dense", encoder.intermediate, width, true);
  list->linear(layer + "output.dense", width, encoder.intermediate, true);
  list->norm(layer + "output.LayerNorm", width, NormKind::layer);
}

void add_rotary_layer(const RotaryEncoder& encoder, int index, const RotaryNames& names,
                      List* list) {
  const std::int64_t width = encoder.hidden, inner = encoder.intermediate;
  const std::string layer = layer_name("layers", index);
  const std::string published = layer_name(names.layers.empty() ? "layers" : names.layers, index);
  const auto called = [&](const std::string& name, const std::string& other) {
    list->also_called(layer + name, published + (other.empty() ? name : other));
  };
  const NormKind kind =
      encoder.norm_bias ? NormKind::layer : NormKind::rms;  // only decides which tensors there are
  list->linear(layer + "attn.Wqkv", 3 * width, width, encoder.attention_bias);
  list->linear(layer + "attn.Wo", width, width, encoder.attention_bias);
  list->linear(layer + "mlp.Wi", encoder.fused ? 2 * inner : inner, width, encoder.up_bias);
  if (!encoder.fused) list->linear(layer + "mlp.gate", inner, width, encoder.up_bias);
  list->linear(layer + "mlp.Wo", width, inner, encoder.down_bias);
  if (!encoder.norm_first || index > 0) list->norm(layer + "attn_norm", width, kind);
  list->norm(layer + "mlp_norm", width, kind);
  called("attn.Wqkv", names.qkv);
  called("attn.Wo", names.attention_output);
  called("mlp.Wi", names.up);
  called("mlp.gate", names.gate);
  called("mlp.Wo", names.down);
  called("attn_norm", names.attention_norm);
  called("mlp_norm", names.feed_norm);
}

}  // namespace

Prefixes combine(const Prefixes& beginnings, const Prefixes& endings) {
  Prefixes all;
  for (const std::string& beginning : beginnings) {
    for (const std::string& ending : endings) all.push_back(beginning + ending);
  }
  return all;
}

PartTensors tower_tensors(const FixedTower& tower, const Prefixes& prefixes) {
  List list("tower", prefixes);
  const std::int64_t width = tower.hidden, side = tower.image_size / tower.patch;
  if (tower.class_token) list.tensor("embeddings.class_embedding", {width});
  list.tensor("embeddings.patch_embedding.weight", {width, 3, tower.patch, tower.patch});
  if (tower.patch_bias) list.tensor("embeddings.patch_embedding.bias", {width});
  list.tensor("embeddings.position_embedding.weight",
              {side * side + (tower.class_token ? 1 : 0), width});
  // A table 0, 1, 2, ... that early versions of transformers saved.
  list.unused("embeddings.position_ids");
  if (tower.norm_before) list.norm("pre_layrnorm", width, NormKind::layer);
  for (int i = 0; i < tower.used_layers; ++i) {
    add_siglip_layer(tower.hidden, tower.intermediate, layer_name("encoder.layers", i), &list);
  }
  // The checkpoint has layers that the model does not run.
  for (int i = tower.used_layers; i < tower.layers; ++i) {
    list.unused(layer_name("encoder.layers", i) + "*");
  }
  if (tower.norm_after) {
    list.norm("post_layernorm", width, NormKind::layer);
  } else {
    list.unused("post_layernorm.*");
  }
  return list.made_;
}

PartTensors tower_tensors(const FlexibleTower& tower, const Prefixes& prefixes) {
  List list("tower", prefixes);
  const std::int64_t width = tower.hidden, patch = tower.patch, side = tower.position_side;
  list.tensor("embeddings.patch_embedding.weight",
              tower.patch_planes ? Shape{width, 3, patch, patch} : Shape{width, 3 * patch * patch});
  list.tensor("embeddings.patch_embedding.bias", {width});
  list.tensor("embeddings.position_embedding.weight", {side * side, width});
  for (int i = 0; i < tower.layers; ++i) {
    add_siglip_layer(tower.hidden, tower.intermediate, layer_name("encoder.layers", i), &list);
  }
  list.norm("post_layernorm", width, NormKind::layer);
  // The pooling of the training, which checkpoints may have kept.
  list.unused("head.*");
  return list.made_;
}

PartTensors tower_tensors(const NativeTower& tower, const Prefixes& prefixes) {
  List list("tower", prefixes);
  const std::string patches = "patch_embed.proj.weight";
  // The convolution over time is stored as one two-dimensional tensor for each frame in GGUF files.
  if (tower.frames_apart) {
    for (int frame = 0; frame < tower.temporal; ++frame) {
      list.tensor(patches + (frame == 0 ? "" : format(".{}", frame)),
                  {tower.hidden, 3, tower.patch, tower.patch});
    }
  } else {
    list.tensor(patches, {tower.hidden, 3, tower.temporal, tower.patch, tower.patch});
  }
  if (tower.patch_bias) list.tensor("patch_embed.proj.bias", {tower.hidden});
  if (tower.norm_before) list.norm("pre_norm", tower.hidden, tower.norm);
  if (tower.position_side > 0) {
    const std::int64_t side = tower.position_side;
    list.tensor("pos_embed.weight", {side * side, tower.hidden});
  }
  for (int i = 0; i < tower.layers; ++i) add_native_layer(tower, layer_name("blocks", i), &list);
  return list.made_;
}

PartTensors connector_tensors(const MergeConnector& connector, const Prefixes& prefixes) {
  List list("connector", prefixes);
  add_merge_connector(connector, connector.in, "", "", &list);
  return list.made_;
}

PartTensors further_connector_tensors(const MergeConnector& connector,
                                      const std::vector<int>& numbers, const Prefixes& prefixes) {
  List list("further connectors", prefixes);
  const std::int64_t merged = std::int64_t{connector.in} * connector.merge * connector.merge;
  for (int i = 0; i < connector.further_depths; ++i) {
    const int number = numbers[static_cast<std::size_t>(i)];
    add_merge_connector(connector, merged, format("{}.", i), format("{}.", number), &list);
  }
  return list.made_;
}

// Names of the reference's code of Mistral Small 3.1.
PartTensors connector_tensors(const PatchMergeConnector& connector, const Prefixes& prefixes) {
  List list("connector", prefixes);
  const std::int64_t merged = std::int64_t{connector.in} * connector.merge * connector.merge;
  list.norm("norm", connector.in, NormKind::rms);
  list.linear("patch_merger.merging_layer", connector.in, merged, false);
  list.linear("linear_1", connector.out, connector.in, connector.bias);
  list.linear("linear_2", connector.out, connector.out, connector.bias);
  return list.made_;
}

PartTensors connector_tensors(const TileConnector& connector, const Prefixes& prefixes) {
  List list("connector", prefixes);
  const std::int64_t merged = std::int64_t{connector.in} * connector.merge * connector.merge;
  list.tensor("glb_GN", {1, 1, merged});
  list.tensor("sub_GN", {1, 1, 1, merged});
  list.linear("img_projection.0", connector.out, merged, true);
  list.linear("img_projection.2", connector.out, connector.out, true);
  return list.made_;
}

PartTensors connector_tensors(const LinearConnector& connector, const Prefixes& prefixes) {
  List list("connector", prefixes);
  list.linear("linear", connector.out, connector.in, true);
  return list.made_;
}

PartTensors connector_tensors(const PoolConnector& connector, const Prefixes& prefixes) {
  List list("connector", prefixes);
  // Stored as [in, out], unlike a linear layer.
  list.tensor("mm_input_projection_weight", {connector.in, connector.out});
  list.norm("mm_soft_emb_norm", connector.in, NormKind::rms);
  return list.made_;
}

PartTensors connector_tensors(const ShuffleConnector& connector, const Prefixes& prefixes) {
  List list("connector", prefixes);
  const std::int64_t merged = std::int64_t{connector.in} * connector.merge * connector.merge;
  list.linear("proj", connector.out, merged, false);
  return list.made_;
}

// Names of the reference's code of LFM2-VL.
PartTensors connector_tensors(const UnshuffleConnector& connector, const Prefixes& prefixes) {
  List list("connector", prefixes);
  const std::int64_t merged = std::int64_t{connector.in} * connector.merge * connector.merge;
  if (connector.norm) list.norm("layer_norm", merged, NormKind::layer);
  list.linear("linear_1", connector.inner, merged, connector.bias);
  list.linear("linear_2", connector.out, connector.inner, connector.bias);
  return list.made_;
}

PartTensors trunk_tensors(const Decoder& decoder, const Prefixes& prefixes) {
  List list("trunk", prefixes);
  list.tensor("embed_tokens.weight", {decoder.vocab_size, decoder.hidden});
  for (int i = 0; i < decoder.layers; ++i) {
    add_decoder_layer(decoder, i, layer_name("layers", i), &list);
  }
  list.norm("norm", decoder.hidden, NormKind::rms);
  return list.made_;
}

PartTensors trunk_tensors(const TextEncoder& encoder, const Prefixes& prefixes) {
  List list("trunk", prefixes);
  list.tensor("embeddings.word_embeddings.weight", {encoder.vocab_size, encoder.hidden});
  list.tensor("embeddings.position_embeddings.weight",
              {std::int64_t{encoder.max_positions} + encoder.first_position, encoder.hidden});
  if (encoder.type_vocab_size > 0) {
    list.tensor("embeddings.token_type_embeddings.weight",
                {encoder.type_vocab_size, encoder.hidden});
  }
  if (encoder.distance_kinds > 0) {
    list.tensor("encoder.relative_attention_bias.weight", {encoder.distance_kinds, encoder.heads});
  }
  list.norm("embeddings.LayerNorm", encoder.hidden, NormKind::layer);
  for (int i = 0; i < encoder.layers; ++i) {
    add_encoder_layer(encoder, layer_name("encoder.layer", i), &list);
  }
  // Sentence encoders have their own pooling, so that of pre-training is not read.
  list.unused("pooler.*");
  list.unused("embeddings.position_ids");
  return list.made_;
}

PartTensors trunk_tensors(const RotaryEncoder& encoder, const RotaryNames& names,
                          const Prefixes& prefixes) {
  List list("trunk", prefixes);
  const NormKind kind =
      encoder.norm_bias ? NormKind::layer : NormKind::rms;  // only decides which tensors there are
  list.tensor("embeddings.tok_embeddings.weight", {encoder.vocab_size, encoder.hidden});
  if (encoder.added_tokens > 0) {
    list.tensor("embeddings.tok_embeddings.additional_embedding.weight",
                {encoder.added_tokens, encoder.hidden});
  }
  if (encoder.type_vocab_size > 0) {
    list.tensor("embeddings.token_type_embeddings.weight",
                {encoder.type_vocab_size, encoder.hidden});
  }
  list.norm("embeddings.norm", encoder.hidden, kind);
  list.also_called("embeddings.tok_embeddings", names.embeddings);
  list.also_called("embeddings.norm", names.embedding_norm);
  for (int i = 0; i < encoder.layers; ++i) add_rotary_layer(encoder, i, names, &list);
  if (encoder.norm_first) list.norm("final_norm", encoder.hidden, kind);
  return list.made_;
}

PartTensors pair_tensors(const PairScore& pair, int hidden, const PairNames& names,
                         const Prefixes& prefixes) {
  List list("head", prefixes);
  list.linear("dense", hidden, hidden, pair.bias);
  if (pair.norm) list.norm("norm", hidden, pair.norm_bias ? NormKind::layer : NormKind::rms);
  list.linear("last", 1, hidden, true);
  list.also_called("dense", names.dense);
  list.also_called("norm", names.norm);
  list.also_called("last", names.last);
  return list.made_;
}

std::vector<PartTensors> vocabulary_tensors(const VocabularyHead& head, int hidden, int vocab_size,
                                            const VocabularyNames& names,
                                            const std::string& query_prefix) {
  List list("vocabulary", {""});
  list.linear("dense", hidden, hidden, head.bias);
  list.norm("norm", hidden, head.norm_bias ? NormKind::layer : NormKind::rms);
  list.also_called("dense", names.dense);
  list.also_called("norm", names.norm);
  // Only one tensor, and not the weight and bias of a layer.
  list.made_.tensors.push_back({"token_bias", {vocab_size}, names.bias});
  if (head.own_rows) list.made_.tensors.push_back({"rows", {vocab_size, hidden}, names.rows});
  std::vector<PartTensors> parts{list.made_};
  if (!head.query_folder.empty()) {
    List query(head.query_folder, {head.query_folder + "/"});
    query.tensor("weight", {vocab_size});
    parts.push_back(query.made_);
  }
  if (head.query_rows) {
    List query("query", {query_prefix});
    query.tensor("embeddings.weight", {vocab_size, hidden});
    query.linear("projection", 1, hidden, true);
    parts.push_back(query.made_);
  }
  return parts;
}

PartTensors dense_tensors(const DenseLayer& layer) {
  List list(layer.folder, {layer.folder + "/"});
  list.linear("linear", layer.out, layer.in, layer.bias);
  if (layer.residual && layer.in != layer.out) {
    list.linear("residual", layer.out, layer.in, false);
  }
  return list.made_;
}

PartTensors head_tensors(const Head& head, const Decoder& decoder, const Prefixes& prefixes) {
  List list("head", prefixes);
  if (head.verdicts > 0) list.tensor("score.weight", {head.verdicts, decoder.hidden});
  if (head.generates && !head.tied) {
    list.tensor("lm_head.weight", {decoder.vocab_size, decoder.hidden});
  } else {
    list.unused("lm_head.weight");
  }
  return list.made_;
}

PartTensors projection_tensors(const Head& head, int hidden, const Prefixes& prefixes) {
  List list("projection", prefixes);
  list.tensor("weight", {head.projection, hidden});
  if (head.projection_bias) list.tensor("bias", {head.projection});
  return list.made_;
}

}  // namespace fineprint::models
