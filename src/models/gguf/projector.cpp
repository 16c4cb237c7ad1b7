// Finds and reads the second GGUF file of a model that takes images, and translates its tensors'
// names.
#include "models/gguf/projector.h"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/letter_case.h"
#include "fineprint/core/text.h"

#include "models/gguf/gguf_facts.h"
#include "models/gguf/gguf_names.h"
#include "models/projectors/projector_kind.h"

namespace fineprint::models {

#include "projector_table.inc"

namespace {

using tensorfile::GgufReader;
using Files = std::map<std::string, Json>;

constexpr std::string_view kPairMark = ".gguf+";

const std::vector<ProjectorKind>& projector_kinds() {
  static const std::vector<ProjectorKind> kKinds = projector_table();
  return kKinds;
}

std::string type_of(const GgufFacts& clip) {
  for (const char* key : {"clip.vision.projector_type", "clip.projector_type"}) {
    if (clip.has(key)) return clip.text(key);
  }
  clip.fail("clip.projector_type", "is missing");
}

// Returns nullptr if the type is unknown.
const ProjectorKind* projector_kind(const GgufFacts& clip) {
  const std::string type = type_of(clip);
  const auto found = std::ranges::find(projector_kinds(), type, &ProjectorKind::type);
  return found == projector_kinds().end() ? nullptr : &*found;
}

std::string known_types() { return join_texts(projector_kinds(), ", ", &ProjectorKind::type); }

bool is_clip(const GgufFacts& facts) {
  return facts.has("general.architecture") && facts.text("general.architecture") == "clip" &&
         facts.flag_or("clip.has_vision_encoder", false);
}

// Returns why a file does not belong to the model; "" if it does.
std::string misfit_of(const GgufFacts& model, const GgufFacts& clip) {
  const std::string& path = clip.reader().path();
  if (!is_clip(clip)) return format("{} contains no vision tower", path);
  const ProjectorKind* kind = projector_kind(clip);
  if (kind == nullptr) {
    return format("{} has a projector of type \"{}\"; supported types are {}", path, type_of(clip),
                  known_types());
  }
  const std::string architecture = model.text("general.architecture");
  if (std::ranges::find(kind->architectures, architecture) == kind->architectures.end()) {
    return format("{} belongs to a model of architecture \"{}\", not \"{}\"", path,
                  kind->architectures.front(), architecture);
  }
  const std::int64_t width = model.integer(architecture + ".embedding_length");
  const std::string key = "clip.vision.projection_dim";
  // The width distinguishes projectors for models of one family but of different sizes.
  if (clip.has(key) && clip.integer(key) != width) {
    return format("{} makes features of width {}, but the model's embeddings have width {}", path,
                  clip.integer(key), width);
  }
  return {};
}

// Returns the files in the model's folder that have the name of a projector, sorted.
std::vector<std::string> projectors_next_to(const std::string& model_path) {
  const std::filesystem::path model(model_path);
  const std::filesystem::path dir = model.has_parent_path() ? model.parent_path() : ".";
  std::vector<std::string> paths;
  std::error_code ignored;
  for (std::filesystem::directory_iterator at(dir, ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    const std::filesystem::path& path = at->path();
    const bool named = is_projector_name(path.filename().string()) &&
                       lower_case(path.extension().string()) == ".gguf";
    // A model may itself have a name with "mmproj".
    if (named && path.filename() != model.filename())
      paths.push_back((dir / path.filename()).string());
  }
  // Sorted, because the order of a folder's entries is not fixed and messages must be.
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
  // A plus alone may be part of a file name, so the mark includes the ending before it.
  const std::size_t plus = mark + kPairMark.size() - 1;
  return {spec.substr(0, plus), spec.substr(plus + 1)};
}

FoundProjector find_projector(const GgufReader& model) {
  const GgufFacts facts(model);
  const std::vector<std::string> candidates = projectors_next_to(model.path());
  std::vector<std::string> fitting;
  std::string why = format(
      "there is no mmproj-*.gguf next to {}; a model that takes images needs one", model.path());
  bool unreadable = false;
  for (const std::string& path : candidates) {
    try {
      const GgufReader reader(path);
      const std::string misfit = misfit_of(facts, GgufFacts(reader));
      if (misfit.empty()) fitting.push_back(path);
      // An unreadable file is the more important reason, so it is not overwritten.
      if (!misfit.empty() && !unreadable) why = misfit;
    } catch (const Error& error) {  // it may belong to another model, and texts need none
      if (error.code() != ErrorCode::model) throw;
      why = error.what();
      unreadable = true;
    }
  }
  // The program does not choose: two quantisations of a tower give different features.
  if (fitting.size() > 1) {
    throw Error(ErrorCode::model,
                format("{}: several files next to it could be its vision tower: {}; name one as "
                       "{}+{}",
                       model.path(), join_texts(fitting, ", "), model.path(), fitting.front()));
  }
  if (fitting.empty()) return {{}, why, unreadable};
  return {fitting.front(), {}, false};
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
  // Early converters exchanged the names of the two feed-forward matrices; their shapes show it.
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
    // An unknown tensor keeps its name and is then reported as surplus.
    names[name] = known.empty() ? name : known;
  }
  return names;
}

}  // namespace fineprint::models
