// Collects listed files.
#include "fetch/lists.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"
#include "fineprint/core/threads.h"

namespace fineprint::fetch {
namespace {

using documents::AddressKind;

constexpr std::int64_t kMostListed = 1'000'000;
constexpr std::size_t kMostFolders = 10'000;
constexpr std::ptrdiff_t kMostDepth = 32;

// Returns whether a part of the path begins with a dot or is that of a lock file, as
// documents::find_documents passes them over.
bool is_hidden(const std::string& path) {
  for (std::size_t at = 0; at < path.size();
       at = std::min(path.find('/', at), path.size() - 1) + 1) {
    if (path[at] == '.' || path.compare(at, 2, "~$") == 0) return true;
  }
  return false;
}

}  // namespace

std::string ListBuilder::address_of(const std::string& path, bool is_folder) const {
  documents::Address one = address_;
  one.path = path;
  one.is_folder = is_folder;
  return documents::address_text(one);
}

void ListBuilder::fail(const std::string& path, bool is_folder, const std::string& why) {
  const std::string address = address_of(path, is_folder);
  list_.failures.push_back({address, ErrorCode::unreadable, format("{}: {}", address, why)});
}

void ListBuilder::add(ListedFile file, const std::string& problem) {
  if (++seen_ > kMostListed) {
    throw Error(ErrorCode::input,
                format("there are more than {} files; name a folder with fewer", kMostListed));
  }
  // The path of the address itself was given by the user, so only names below it can be hidden.
  const std::string below = file.path.substr(std::min(address_.path.size(), file.path.size()));
  const bool is_named = file.path == address_.path;
  if (!problem.empty()) return fail(file.path, false, problem);
  if (!is_named && is_hidden(below.starts_with('/') ? below.substr(1) : below)) return;
  if (!is_named && format_of_name(file.path) == nullptr) {
    ++list_.left[extension_of(file.path)];
    return;
  }
  const std::string path = file.path;
  list_.files.insert_or_assign(path, std::move(file));
  if (std::ssize(list_.files) > options_.files) {
    throw Error(ErrorCode::input,
                format("there are more than {} documents; name a folder with fewer, or raise "
                       "--fetch-files",
                       options_.files));
  }
}

bool ListBuilder::takes_folder(const std::string& path, const std::string& problem) {
  if (!problem.empty()) fail(path, true, problem);
  const std::string below = path.substr(std::min(address_.path.size(), path.size()));
  return problem.empty() && !is_hidden(below.starts_with('/') ? below.substr(1) : below);
}

void ListBuilder::add_unseen(const std::string& path, const Error& why) {
  list_.unseen.push_back(path);
  fail(path, true, why.what());
}

void FolderQueue::add(const std::string& path) {
  if (!known_.insert(path).second) return;
  folders_.push_back(path);
  const auto depth = std::ranges::count(path, '/') - std::ranges::count(root_, '/');
  if (folders_.size() > kMostFolders || depth > kMostDepth) {
    throw Error(ErrorCode::input,
                format("there are more than {} folders, or more than {} within each other; name "
                       "one of them",
                       kMostFolders, kMostDepth));
  }
}

std::optional<std::string> FolderQueue::next() {
  throw_if_interrupted();
  if (at_ == folders_.size()) return std::nullopt;
  return folders_[at_++];
}

FileList list_files(const documents::Address& address, const documents::FetchOptions& options,
                    Client& client) {
  ListBuilder list(address, options);
  if (address.kind == AddressKind::s3) {
    list_bucket(address, client, list);
  } else if (address.kind == AddressKind::dav) {
    list_dav(address, client, list);
  } else if (address.is_folder) {
    list_pages(address, client, list);
  } else {
    list.add({.path = address.path}, "");
  }
  return list.take();
}

}  // namespace fineprint::fetch
