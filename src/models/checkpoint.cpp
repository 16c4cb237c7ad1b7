// The weights of a model folder: every tensor is checked and accounted for.
#include "fineprint/models/checkpoint.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/threads.h"
#include "fineprint/tensorfile/coded.h"
#include "fineprint/tensorfile/gguf.h"

#include "models/finite.h"
#include "models/part_weights.h"
#include "models/read_once.h"
#include "models/weight_files.h"

namespace fineprint::models {
namespace {

// The names of findings that ReadOnce keeps.
constexpr const char *kHash = "hash", *kFinite = "finite";

// Large enough to read at the speed of memory, small enough to spread over threads.
constexpr std::size_t kTensorPieceBytes = std::size_t{4} << 20;

// A piece of one tensor, as one unit of work.
struct TensorPiece {
  const tensorfile::TensorView* view = nullptr;
  const std::string* file = nullptr;
  std::span<const std::uint8_t> bytes;
};

// Calls see(view, file) for each stored tensor of a weight, those of an adapter included.
template <class See>
void each_view(const Weight& weight, const std::string& adapter_file, const See& see) {
  see(*weight.view, weight.file);
  for (const LowRank& change : weight.changes) {
    see(*change.down, adapter_file);
    see(*change.up, adapter_file);
  }
}

void add_pieces(const tensorfile::TensorView& view, const std::string& file,
                std::vector<TensorPiece>* pieces) {
  if (view.coded) {
    pieces->push_back({&view, &file, view.coded->scales.bytes});
    add_pieces(view.coded->codes, file, pieces);
    return;
  }
  // A piece holds whole blocks of quantised values.
  const std::size_t unit =
      view.blocks ? static_cast<std::size_t>(tensorfile::block_shape(*view.blocks).bytes) : 1;
  const std::size_t most = kTensorPieceBytes / unit * unit;
  for (std::size_t at = 0; at < view.bytes.size(); at += most) {
    const std::size_t size = std::min(most, view.bytes.size() - at);
    pieces->push_back({&view, &file, view.bytes.subspan(at, size)});
  }
}

std::int64_t held_bytes_of(const tensorfile::TensorView& view) {
  if (!view.coded) return static_cast<std::int64_t>(view.bytes.size());
  const tensorfile::CodedMatrix& coded = *view.coded;
  // Codes without groups of columns are widened to 16 bits when they are loaded.
  if (!is_grouped(coded)) return 2 * view.element_count();
  // Each group has a step and a minimum of 32 bits.
  const std::int64_t codes = view.element_count() * coded.bits / 8;
  return codes + coded.rows * groups_of(coded) * 8;
}

std::string format_name(const tensorfile::TensorView& view) {
  if (view.coded) return coded_name(*view.coded);
  return std::string(view.blocks ? block_name(*view.blocks) : dtype_name(view.dtype));
}

// Hashes large files in parallel; the result depends only on the order of the paths. Only file
// names count, so that a folder may be moved.
std::string hash_files(const std::string& hashed_as, const std::vector<std::string>& paths) {
  std::vector<std::string> hashes(paths.size());
  parallel_for(paths.size(), usable_cores(),
               [&](std::size_t i) { hashes[i] = file_hash(paths[i]); });
  // The names are part of the hash, so that two files with exchanged contents give another hash.
  std::string all = hashed_as;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    all += "\n" + std::filesystem::path(paths[i]).filename().string() + " " + hashes[i];
  }
  return content_hash(all);
}

}  // namespace

struct Checkpoint::State {
  std::string family;
  std::string hashed_as;  // the family, and what else changes the vectors of the same files
  std::vector<std::string> paths;  // of all files read
  WeightFiles model;
  std::optional<WeightFiles> adapter;
  std::string adapter_file;
  PartWeights weights;

  std::once_flag hashed;
  std::string hash;

  template <class See>
  void each(const See& see) const {
    for (const auto& [part, of_part] : weights) {
      for (const auto& [name, weight] : of_part) each_view(weight, adapter_file, see);
    }
  }
};

Checkpoint::Checkpoint(const ModelSpec& spec) : state_(std::make_unique<State>()) {
  state_->family = spec.family;
  state_->hashed_as = spec.family;
  // 8-bit products give other vectors, which must not be mixed with those of float32 in one store.
  const auto* text = std::get_if<TextEncoder>(&spec.trunk);
  if (text != nullptr && text->int8) state_->hashed_as += " int8";
  state_->paths = spec.files;
  // A passage prefix that no file gives changes the vectors as well.
  // A question prefix changes no vector of a page.
  if (spec.prompt.prefix_source != PrefixSource::files && !spec.sees()) {
    state_->hashed_as += "\n" + spec.prompt.passage_prefix;
  }
  state_->model = WeightFiles::open_model(spec.dir, spec.projector);
  if (const auto* decoder = std::get_if<Decoder>(&spec.trunk)) {
    state_->model.cut_expert_arrays(*decoder);
  }
  // A GGUF file has these layers in itself.
  if (!tensorfile::is_gguf(spec.dir)) {
    for (const DenseLayer& layer : spec.head.dense) {
      state_->model.add_folder(spec.dir, layer.folder);
    }
    if (spec.head.vocabulary && !spec.head.vocabulary->query_folder.empty()) {
      state_->model.add_folder(spec.dir, spec.head.vocabulary->query_folder);
    }
  }
  if (spec.quantisation) state_->model.join_codes(*spec.quantisation);
  // Codes are joined first: parts ask for matrices by the names of folders without codes.
  state_->weights = match_parts(spec, state_->model);
  const auto add_paths = [&](const WeightFiles& files) {
    state_->paths.insert(state_->paths.end(), files.paths().begin(), files.paths().end());
  };
  add_paths(state_->model);
  if (spec.adapter) {
    state_->adapter = WeightFiles::open_adapter(spec.adapter->dir);
    state_->adapter_file = state_->adapter->paths().front();
    lay_adapter(spec, *state_->adapter, &state_->weights);
    add_paths(*state_->adapter);
  }
}

Checkpoint::~Checkpoint() = default;
Checkpoint::Checkpoint(Checkpoint&&) noexcept = default;

const Weight* Checkpoint::find(const std::string& part, const std::string& name) const {
  const auto of_part = state_->weights.find(part);
  if (of_part == state_->weights.end()) return nullptr;
  const auto weight = of_part->second.find(name);
  return weight == of_part->second.end() ? nullptr : &weight->second;
}

const Weight& Checkpoint::at(const std::string& part, const std::string& name) const {
  const Weight* weight = find(part, name);
  if (weight == nullptr) {
    throw Error(ErrorCode::internal,
                format("the {} of a {} model has no tensor '{}'", part, state_->family, name));
  }
  return *weight;
}

std::int64_t Checkpoint::parameters() const {
  std::int64_t count = 0;
  state_->each([&](const auto& view, const std::string&) { count += view.element_count(); });
  return count;
}

std::int64_t Checkpoint::parameters(const std::string& part) const {
  std::int64_t count = 0;
  const auto found = state_->weights.find(part);
  if (found == state_->weights.end()) return 0;
  for (const auto& [name, weight] : found->second) {
    each_view(weight, state_->adapter_file,
              [&](const auto& view, const std::string&) { count += view.element_count(); });
  }
  return count;
}

std::int64_t Checkpoint::bytes() const {
  std::int64_t bytes = 0;
  state_->each([&](const auto& view, const std::string&) {
    bytes += view.coded ? stored_bytes(*view.coded) : static_cast<std::int64_t>(view.bytes.size());
  });
  return bytes;
}

std::int64_t Checkpoint::held_bytes() const {
  std::int64_t bytes = 0;
  state_->each([&](const tensorfile::TensorView& view, const std::string&) {
    bytes += held_bytes_of(view);
  });
  return bytes;
}

std::int64_t Checkpoint::held_bytes(const std::string& part, const std::string& name) const {
  std::int64_t bytes = 0;
  const auto found = state_->weights.find(part);
  if (found == state_->weights.end()) return 0;
  for (const auto& [tensor, weight] : found->second) {
    if (!name.empty() && tensor != name) continue;
    each_view(weight, state_->adapter_file,
              [&](const auto& view, const std::string&) { bytes += held_bytes_of(view); });
  }
  return bytes;
}

std::string Checkpoint::dtype() const {
  std::map<std::string, std::int64_t> counts, of_codes;
  state_->each([&](const tensorfile::TensorView& view, const std::string&) {
    const bool coded = view.coded || view.blocks;
    (coded ? of_codes : counts)[format_name(view)] += view.element_count();
  });
  // A quantised model leaves some tensors as they were, for example its embeddings.
  if (!of_codes.empty()) counts = std::move(of_codes);
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& pair) { return pair.second; });
  return most == counts.end() ? std::string() : most->first;
}

std::string Checkpoint::hash() const {
  // Only when first asked for, because hashing reads all weights.
  std::call_once(state_->hashed, [&] {
    const ReadOnce once(state_->hashed_as, state_->paths);
    if (auto found = once.find(kHash)) {
      state_->hash = std::move(*found);
      return;
    }
    state_->hash = hash_files(state_->hashed_as, state_->paths);
    once.keep(kHash, state_->hash);
  });
  return state_->hash;
}

void Checkpoint::check_finite(int threads) const {
  const ReadOnce once(state_->hashed_as, state_->paths);
  if (once.find(kFinite)) return;
  std::vector<TensorPiece> pieces;
  state_->each([&](const auto& view, const std::string& file) { add_pieces(view, file, &pieces); });
  std::atomic<std::size_t> first = pieces.size();
  parallel_for(pieces.size(), threads, [&](std::size_t i) {
    // Pieces after the first bad one cannot change the message.
    if (i > first || all_finite(*pieces[i].view, pieces[i].bytes)) return;
    std::size_t before = first;
    // Keeps the smallest index, so that the message does not depend on the threads.
    while (i < before && !first.compare_exchange_weak(before, i)) {
    }
  });
  if (first == pieces.size()) return once.keep(kFinite, "all");
  throw Error(ErrorCode::model,
              format("{}: tensor '{}' holds a NaN or an infinity; the file is damaged, or its "
                     "training failed",
                     *pieces[first].file, pieces[first].view->name));
}

void Checkpoint::release(const Weight& weight) const { tensorfile::release(*weight.view); }

}  // namespace fineprint::models
