// Finds, reads and names what the second GGUF file of a model that sees holds.
#include "models/gguf/projector.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/letter_case.h"

#include "models/gguf/gguf_facts.h"
#include "models/gguf/gguf_names.h"

namespace fineprint::models {
namespace {

using tensorfile::GgufReader;
using Files = std::map<std::string, Json>;

constexpr std::string_view kPairMark = ".gguf+";

// A kind of projector: what it goes with, how the whole model's config.json says it, how its
// tensors are called.
struct ProjectorKind {
  std::string_view type;          // clip.projector_type
  std::string_view architecture;  // of the language model's file
  // Turns config.json, so far the language model's, into the whole model's, and adds
  // preprocessor_config.json.
  void (*describe)(const GgufFacts& model, const GgufFacts& clip, Files* files);
  std::span<const NamedTensor> outside_layers;
  std::string_view layers;  // beginning of the tower's layers' names
  std::span<const NamedTensor> in_layers;
  // Likewise of further connectors ("v.deepstack."), by the numbers of the layers before them.
  std::string_view further = {};
  std::span<const NamedTensor> in_further = {};
};

// --- facts that kinds share ---

// The id of a token by its text.
std::int64_t token_id(const GgufFacts& model, const std::string& text) {
  const std::string key = "tokenizer.ggml.tokens";
  const std::vector<std::string> tokens = model.texts(key);
  const auto found = std::ranges::find(tokens, text);
  if (found == tokens.end()) model.fail(key, format("has no token {}", text));
  return found - tokens.begin();
}

Json vision_sizes(const GgufFacts& clip) {
  const std::string prefix = "clip.vision.";
  Json sizes{{"layer_norm_eps", clip.number(prefix + "attention.layer_norm_epsilon")}};
  for (const auto& [key, name] : {std::pair{"embedding_length", "hidden_size"},
                                  {"feed_forward_length", "intermediate_size"},
                                  {"block_count", "num_hidden_layers"},
                                  {"attention.head_count", "num_attention_heads"},
                                  {"image_size", "image_size"},
                                  {"patch_size", "patch_size"}}) {
    sizes[name] = clip.integer(prefix + key);
  }
  return sizes;
}

Json pixel_norm(const GgufFacts& clip) {
  return {{"image_mean", clip.numbers("clip.vision.image_mean")},
          {"image_std", clip.numbers("clip.vision.image_std")}};
}

void expect_gelu(const GgufFacts& clip) {
  if (!clip.flag_or("clip.use_gelu", false)) {
    clip.fail("clip.use_gelu",
              "is not true; towers of this kind with other activations are none "
              "that is known");
  }
}

// --- Idefics3 ---

void describe_idefics3(const GgufFacts& model, const GgufFacts& clip, Files* files) {
  expect_gelu(clip);
  Json& config = files->at("config.json");
  Json vision = vision_sizes(clip);
  vision["hidden_act"] = "gelu_pytorch_tanh";
  const std::int64_t tile = clip.integer("clip.vision.image_size");
  const std::string longest = "clip.vision.preproc_image_size";
  // Early files do not say it: four tiles, as the reference takes by itself.
  constexpr std::int64_t kTilesALine = 4, kMostSide = 1 << 13;
  const std::int64_t edge = clip.has(longest)
                                ? clip.integer(longest)
                                : kTilesALine * std::clamp<std::int64_t>(tile, 0, kMostSide);
  config = {{"architectures", {"Idefics3ForConditionalGeneration"}},
            {"model_type", "idefics3"},
            {"text_config", config},
            {"vision_config", vision},
            {"scale_factor", clip.integer("clip.vision.projector.scale_factor")},
            {"image_token_id", token_id(model, "<image>")}};
  Json processor = pixel_norm(clip);
  processor["max_image_size"] = {{"longest_edge", tile}};
  processor["size"] = {{"longest_edge", edge}};
  (*files)["preprocessor_config.json"] = processor;
}

constexpr std::array<NamedTensor, 4> kIdefics3Outside{{
    {"v.patch_embd.", "model.vision_model.embeddings.patch_embedding."},
    {"v.position_embd.", "model.vision_model.embeddings.position_embedding."},
    {"v.post_ln.", "model.vision_model.post_layernorm."},
    {"mm.model.fc.", "model.connector.modality_projection.proj."},
}};

// As SigLIP's and CLIP's layers are called in folders.
constexpr std::array<NamedTensor, 8> kSiglipLayers{{
    {"ln1.", "layer_norm1."},
    {"ln2.", "layer_norm2."},
    {"attn_q.", "self_attn.q_proj."},
    {"attn_k.", "self_attn.k_proj."},
    {"attn_v.", "self_attn.v_proj."},
    {"attn_out.", "self_attn.out_proj."},
    {"ffn_up.", "mlp.fc1."},
    {"ffn_down.", "mlp.fc2."},
}};

// --- Qwen3-VL ---

// Which of the layers have a mark, of a list with one for each.
Json marked_layers(const GgufFacts& clip, const std::string& key) {
  Json layers = Json::array();
  const std::vector<std::int64_t> marks = clip.integers(key);
  for (std::size_t layer = 0; layer < marks.size(); ++layer) {
    if (marks[layer] != 0) layers.push_back(layer);
  }
  return layers;
}

// Time, height and width; the fourth is none's.
Json interleaved_sections(const GgufFacts& model) {
  const std::string key = "qwen3vl.rope.dimension_sections";
  std::vector<std::int64_t> sections = model.integers(key);
  if (sections.size() < 3) model.fail(key, "must list time, height and width");
  sections.resize(3);
  return {{"rope_type", "default"}, {"mrope_interleaved", true}, {"mrope_section", sections}};
}

void describe_qwen3_vl(const GgufFacts& model, const GgufFacts& clip, Files* files) {
  expect_gelu(clip);
  const Json sizes = vision_sizes(clip);
  const std::int64_t patch = std::max<std::int64_t>(1, sizes.at("patch_size").get<std::int64_t>());
  constexpr std::int64_t kMostASide = 1 << 12;
  const std::int64_t side =
      std::clamp<std::int64_t>(sizes.at("image_size").get<std::int64_t>() / patch, 0, kMostASide);
  const std::int64_t merge = clip.integer("clip.vision.spatial_merge_size");
  Json& config = files->at("config.json");
  Json text = config;
  text["model_type"] = "qwen3_vl_text";
  text["rope_scaling"] = interleaved_sections(model);
  config = {{"architectures", {"Qwen3VLForConditionalGeneration"}},
            {"model_type", "qwen3_vl"},
            {"image_token_id", token_id(model, "<|image_pad|>")},
            {"text_config", text},
            {"vision_config",
             {{"depth", sizes.at("num_hidden_layers")},
              {"hidden_size", sizes.at("hidden_size")},
              {"intermediate_size", sizes.at("intermediate_size")},
              {"num_heads", sizes.at("num_attention_heads")},
              {"out_hidden_size", clip.integer("clip.vision.projection_dim")},
              {"patch_size", patch},
              {"spatial_merge_size", merge},
              {"num_position_embeddings", side * side},
              {"deepstack_visual_indexes", marked_layers(clip, "clip.vision.is_deepstack_layers")},
              {"hidden_act", "gelu_pytorch_tanh"}}}};
  // Those of the published preprocessor_config.json, where the file has none.
  const auto pixels = [&](const std::string& key, std::int64_t absent) {
    return clip.has(key) ? clip.integer(key) : absent;
  };
  Json processor = pixel_norm(clip);
  processor["patch_size"] = patch;
  processor["merge_size"] = merge;
  processor["size"] = {{"shortest_edge", pixels("clip.vision.image_min_pixels", 65536)},
                       {"longest_edge", pixels("clip.vision.image_max_pixels", 16777216)}};
  (*files)["preprocessor_config.json"] = processor;
}

constexpr std::array<NamedTensor, 5> kQwen3Outside{{
    {"v.patch_embd.", "model.visual.patch_embed.proj."},
    {"v.position_embd.", "model.visual.pos_embed."},
    {"v.post_ln.", "model.visual.merger.norm."},
    {"mm.0.", "model.visual.merger.linear_fc1."},
    {"mm.2.", "model.visual.merger.linear_fc2."},
}};

constexpr std::array<NamedTensor, 6> kQwen3Layers{{
    {"ln1.", "norm1."},
    {"ln2.", "norm2."},
    {"attn_qkv.", "attn.qkv."},
    {"attn_out.", "attn.proj."},
    {"ffn_up.", "mlp.linear_fc1."},
    {"ffn_down.", "mlp.linear_fc2."},
}};

constexpr std::array<NamedTensor, 3> kQwen3Further{{
    {"norm.", "norm."},
    {"fc1.", "linear_fc1."},
    {"fc2.", "linear_fc2."},
}};

const std::vector<ProjectorKind>& projector_kinds() {
  static const std::vector<ProjectorKind> kinds{
      {"idefics3", "llama", describe_idefics3, kIdefics3Outside,
       "model.vision_model.encoder.layers.", kSiglipLayers},
      {"qwen3vl_merger", "qwen3vl", describe_qwen3_vl, kQwen3Outside, "model.visual.blocks.",
       kQwen3Layers, "model.visual.deepstack_merger_list.", kQwen3Further},
  };
  return kinds;
}

// --- any kind ---

std::string type_of(const GgufFacts& clip) {
  for (const char* key : {"clip.vision.projector_type", "clip.projector_type"}) {
    if (clip.has(key)) return clip.text(key);
  }
  clip.fail("clip.projector_type", "is missing");
}

// nullptr when the type is not known here.
const ProjectorKind* projector_kind(const GgufFacts& clip) {
  const std::string type = type_of(clip);
  const auto found = std::ranges::find(projector_kinds(), type, &ProjectorKind::type);
  return found == projector_kinds().end() ? nullptr : &*found;
}

std::string known_types() {
  std::string types;
  for (const ProjectorKind& kind : projector_kinds()) {
    types += (types.empty() ? "" : ", ") + std::string(kind.type);
  }
  return types;
}

bool is_clip(const GgufFacts& facts) {
  return facts.has("general.architecture") && facts.text("general.architecture") == "clip" &&
         facts.flag_or("clip.has_vision_encoder", false);
}

// Why a file does not belong to the model; "" when it does.
std::string misfit_of(const GgufFacts& model, const GgufFacts& clip) {
  const std::string& path = clip.reader().path();
  if (!is_clip(clip)) return format("{} holds no vision tower", path);
  const ProjectorKind* kind = projector_kind(clip);
  if (kind == nullptr) {
    return format("{} has a projector of type \"{}\"; those that run here are {}", path,
                  type_of(clip), known_types());
  }
  const std::string architecture = model.text("general.architecture");
  if (architecture != kind->architecture) {
    return format("{} belongs to a model of architecture \"{}\", not \"{}\"", path,
                  kind->architecture, architecture);
  }
  const std::int64_t width = model.integer(architecture + ".embedding_length");
  const std::string key = "clip.vision.projection_dim";
  if (clip.has(key) && clip.integer(key) != width) {
    return format("{} makes features {} wide, and the model's embeddings are {} wide", path,
                  clip.integer(key), width);
  }
  return {};
}

// Files beside the model by the name of a projector, sorted.
std::vector<std::string> projectors_beside(const std::string& model_path) {
  const std::filesystem::path model(model_path);
  const std::filesystem::path dir = model.has_parent_path() ? model.parent_path() : ".";
  std::vector<std::string> paths;
  std::error_code ignored;
  for (std::filesystem::directory_iterator at(dir, ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    const std::filesystem::path& path = at->path();
    const bool named = is_projector_name(path.filename().string()) &&
                       lower_case(path.extension().string()) == ".gguf";
    if (named && path.filename() != model.filename())
      paths.push_back((dir / path.filename()).string());
  }
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

bool is_projector_name(const std::string& file_name) {
  return lower_case(file_name).find("mmproj") != std::string::npos;
}

GgufPair split_pair(const std::string& spec) {
  const std::size_t mark = spec.find(kPairMark);
  if (mark == std::string::npos) return {spec, {}};
  const std::size_t plus = mark + kPairMark.size() - 1;
  return {spec.substr(0, plus), spec.substr(plus + 1)};
}

FoundProjector find_projector(const GgufReader& model) {
  const GgufFacts facts(model);
  const std::vector<std::string> beside = projectors_beside(model.path());
  std::vector<std::string> fitting;
  std::string why =
      format("there is no mmproj-*.gguf beside {}: a model that sees comes with one", model.path());
  for (const std::string& path : beside) {
    const GgufReader reader(path);
    const std::string misfit = misfit_of(facts, GgufFacts(reader));
    if (misfit.empty()) {
      fitting.push_back(path);
    } else {
      why = misfit;
    }
  }
  if (fitting.size() > 1) {
    std::string names;
    for (const std::string& path : fitting) names += (names.empty() ? "" : ", ") + path;
    throw Error(ErrorCode::model,
                format("{}: several files beside it could be its eyes: {}; name one as "
                       "{}+{}",
                       model.path(), names, model.path(), fitting.front()));
  }
  if (fitting.empty()) return {{}, why};
  return {fitting.front(), {}};
}

void add_projector(const GgufReader& model, const GgufReader& projector, Files* files) {
  const GgufFacts facts(model), clip(projector);
  const std::string misfit = misfit_of(facts, clip);
  if (!misfit.empty()) {
    throw Error(ErrorCode::model, format("{}: {}", model.path(), misfit));
  }
  projector_kind(clip)->describe(facts, clip, files);
}

std::map<std::string, std::string> projector_names(const GgufReader& projector) {
  const GgufFacts clip(projector);
  const ProjectorKind* kind = projector_kind(clip);
  std::map<std::string, std::string> names;
  if (kind == nullptr) return names;
  // Files of early converters have the two matrices of the feed-forward by each other's names.
  const auto up = projector.tensors().find("v.blk.0.ffn_up.weight");
  const bool exchanged = up != projector.tensors().end() && up->second.shape.size() == 2 &&
                         clip.has("clip.vision.embedding_length") &&
                         up->second.shape[1] != clip.integer("clip.vision.embedding_length");
  for (const auto& [name, view] : projector.tensors()) {
    std::string known = exchanged_name(kind->outside_layers, name);
    if (known.empty()) known = exchanged_layer("v.blk.", kind->layers, kind->in_layers, name);
    if (known.empty()) {
      known = exchanged_layer("v.deepstack.", kind->further, kind->in_further, name);
    }
    if (exchanged) {
      const std::size_t at = name.find(".ffn_");
      if (at != std::string::npos) {
        std::string other = name;
        const bool is_up = name.find(".ffn_up.") != std::string::npos;
        other.replace(at, is_up ? 8 : 10, is_up ? ".ffn_down." : ".ffn_up.");
        known = exchanged_layer("v.blk.", kind->layers, kind->in_layers, other);
      }
    }
    names[name] = known.empty() ? name : known;
  }
  return names;
}

}  // namespace fineprint::models
