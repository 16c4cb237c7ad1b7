// Unpacks parts with libgsf and reads relations with libxml2.
#include "markup/office/package.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include <gsf/gsf.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/markup/markup.h"

namespace fineprint::markup {
namespace {

struct UnrefPart {
  void operator()(void* object) const { g_object_unref(object); }
};
using Part = std::unique_ptr<GsfInput, UnrefPart>;

std::string folder_of(const std::string& part) {
  const std::size_t slash = part.rfind('/');
  return slash == std::string::npos ? "" : part.substr(0, slash + 1);
}

// Splits a path into names and resolves "." and "..". A ".." never leaves the package.
std::vector<std::string> names_of(std::string_view path) {
  std::vector<std::string> names;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view name = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (name == ".." && !names.empty()) names.pop_back();
    if (!name.empty() && name != "." && name != "..") names.emplace_back(name);
  }
  return names;
}

std::string joined_path(const std::vector<std::string>& names) {
  std::string path;
  for (const std::string& name : names) path += (path.empty() ? "" : "/") + name;
  return path;
}

// Resolves a target, which is a path from the package's root or from the folder of the part that
// names it.
std::string resolved(const std::string& from, const std::string& target) {
  return joined_path(names_of(target.starts_with('/') ? target : folder_of(from) + target));
}

}  // namespace

// `left` is the number of bytes that may still be unpacked; it stops archives that unpack to
// gigabytes.
struct Package::State {
  std::string name;
  std::unique_ptr<GsfInfile, UnrefPart> archive;
  std::size_t left = kMostBytes;
  std::map<std::string, std::vector<Relation>> relations;  // by the part that they belong to
};

Package::Package(const std::string& name, const std::string& bytes) {
  static std::once_flag begun;
  std::call_once(begun, gsf_init);
  const Part input(gsf_input_memory_new(reinterpret_cast<const guint8*>(bytes.data()),
                                        static_cast<gsf_off_t>(bytes.size()), FALSE));
  GError* failure = nullptr;
  state_ = std::make_unique<State>(
      State{.name = name, .archive = {}, .left = kMostBytes, .relations = {}});
  state_->archive.reset(gsf_infile_zip_new(input.get(), &failure));
  if (state_->archive != nullptr) return;
  const std::string why = failure == nullptr ? "" : failure->message;
  if (failure != nullptr) g_error_free(failure);
  throw Error(ErrorCode::damaged, format("{}: damaged or truncated: {}", name, why));
}

Package::~Package() = default;

const std::string& Package::name() const { return state_->name; }

std::optional<std::string> Package::bytes(const std::string& part) const {
  Part at;
  GsfInfile* folder = state_->archive.get();
  // Names inside an archive are resolved here, so that a part cannot refer to files outside it.
  for (const std::string& name : names_of(part)) {
    if (folder == nullptr) return std::nullopt;
    Part next(gsf_infile_child_by_name(folder, name.c_str()));
    if (next == nullptr) return std::nullopt;
    at = std::move(next);
    folder = GSF_IS_INFILE(at.get()) ? GSF_INFILE(at.get()) : nullptr;
  }
  if (at == nullptr) return std::nullopt;
  const auto size = static_cast<std::size_t>(std::max<gsf_off_t>(gsf_input_size(at.get()), 0));
  if (size > state_->left) {
    throw Error(ErrorCode::too_large,
                format("{}: unpacks to more than {} MiB", state_->name, kMostBytes >> 20));
  }
  // Counted for all parts together: an archive of many small parts could exceed the limit too.
  state_->left -= size;
  std::string all(size, '\0');
  const auto* read =
      size == 0 ? nullptr : gsf_input_read(at.get(), size, reinterpret_cast<guint8*>(all.data()));
  if (size > 0 && read == nullptr) {
    throw Error(ErrorCode::damaged, format("{}: cannot unpack its part {}", state_->name, part));
  }
  return all;
}

std::optional<Tree> Package::xml(const std::string& part) const {
  const std::optional<std::string> text = bytes(part);
  if (!text) return std::nullopt;
  return Tree::of_xml(*text, format("{}: its part {}", state_->name, part));
}

Tree Package::need_xml(const std::string& part) const {
  if (std::optional<Tree> tree = xml(part)) return *std::move(tree);
  throw Error(ErrorCode::damaged, format("{}: its part {} is missing", state_->name, part));
}

const std::vector<Relation>& Package::relations(const std::string& part) const {
  // Read once for each part, because every picture and note of a page asks for them.
  const auto [known, is_new] = state_->relations.try_emplace(part);
  if (is_new) known->second = read_relations(part);
  return known->second;
}

std::vector<Relation> Package::read_relations(const std::string& part) const {
  const std::string folder = folder_of(part);
  const std::optional<Tree> tree = xml(folder + "_rels/" + part.substr(folder.size()) + ".rels");
  std::vector<Relation> out;
  if (!tree || tree->root() == nullptr) return out;
  for (const Node* one : children(*tree->root(), "Relationship")) {
    const std::string type = attribute(*one, "Type");
    const bool outside = attribute(*one, "TargetMode") == "External";
    out.push_back({.id = attribute(*one, "Id"),
                   .kind = type.substr(type.rfind('/') + 1),
                   // External targets are links; nothing outside of the package is read.
                   .target = outside ? "" : resolved(part, attribute(*one, "Target"))});
  }
  return out;
}

std::optional<std::string> Package::target(const std::string& part, std::string_view kind) const {
  for (const Relation& one : relations(part)) {
    if (one.kind == kind && !one.target.empty()) return one.target;
  }
  return std::nullopt;
}

std::string Package::main_part() const {
  if (const auto main = target("", "officeDocument")) return *main;
  throw Error(
      ErrorCode::damaged,
      format("{}: this archive does not say which of its parts is the document", state_->name));
}

}  // namespace fineprint::markup
