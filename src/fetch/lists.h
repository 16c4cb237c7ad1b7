// What a server says is at an address: the list of its files.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fineprint/documents/fetching.h"

#include "fetch/client.h"

namespace fineprint::fetch {

// A document at an address.
struct ListedFile {
  std::string path;  // in the host or bucket, decoded
  std::optional<std::uint64_t> bytes = {};
  std::string etag = {};      // empty: not known before the file is asked for
  std::string modified = {};  // as the server writes it
};

struct FileList {
  std::map<std::string, ListedFile> files;  // by path
  std::vector<documents::UnfetchedFile> failures;
  // Folders that could not be listed. Files under them may be there.
  std::vector<std::string> unseen;
  std::map<std::string, std::int64_t> left;  // see FetchReport::left
};

// Collects listed files, within limits, because a server may go on for ever.
class ListBuilder {
 public:
  ListBuilder(const documents::Address& address, const documents::FetchOptions& options)
      : address_(address), options_(options) {}

  // Adds a file, or a failure if its path has a problem. Hidden files are passed over, as in
  // folders of this machine; files that are no documents are counted. Throws Error(input) if there
  // are more documents than the options allow, or more than a million files.
  void add(ListedFile file, const std::string& problem);
  // Returns whether a folder is to be listed: a hidden one is not, and neither is one with a
  // problem, which is recorded as a failure.
  bool takes_folder(const std::string& path, const std::string& problem);
  // Records a folder that could not be listed.
  void add_unseen(const std::string& path, const Error& why);

  FileList take() { return std::move(list_); }

 private:
  std::string address_of(const std::string& path, bool is_folder) const;
  void fail(const std::string& path, bool is_folder, const std::string& why);

  documents::Address address_;
  documents::FetchOptions options_;
  std::int64_t seen_ = 0;
  FileList list_;
};

// The folders that are listed one after the other. A server may make up folders for ever, so their
// number and depth are limited.
class FolderQueue {
 public:
  explicit FolderQueue(std::string root) : root_(std::move(root)) { add(root_); }

  // Adds a folder unless it was added before. Throws Error(input) if a limit is exceeded.
  void add(const std::string& path);
  // Returns the next folder, the root first, or nullopt after the last one.
  std::optional<std::string> next();

 private:
  std::string root_;
  std::vector<std::string> folders_;
  std::set<std::string> known_;
  std::size_t at_ = 0;
};

// Returns the complete list of the files at an address: one for a file, all below it for a folder.
// Throws Error if the address itself cannot be listed: CallError, Error(damaged) for a list that is
// not readable, Error(input) for one that is too long.
FileList list_files(const documents::Address& address, const documents::FetchOptions& options,
                    Client& client);

// The same for one kind of address each.
void list_bucket(const documents::Address& address, Client& client, ListBuilder& list);
void list_pages(const documents::Address& address, Client& client, ListBuilder& list);
void list_dav(const documents::Address& address, Client& client, ListBuilder& list);

}  // namespace fineprint::fetch
