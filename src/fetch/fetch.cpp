// Lists an address, removes copies of files that are gone, and downloads what has changed.
#include "fetch/fetch.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"

#include "fetch/copies.h"
#include "fetch/lists.h"

namespace fineprint::fetch {
namespace {

using documents::AddressKind;
using documents::FetchReport;
using documents::FetchRequest;

// Downloads at a time. Small files take mostly waiting.
constexpr int kConnections = 4;
// Failures one after the other after which the server is given up.
constexpr int kMostLost = 4;

bool is_strong(const std::string& etag) { return etag.starts_with('"'); }

// Returns whether the list alone says that the copy is that of the file as it is now.
bool is_current(const ListedFile& file, const Copied& copy) {
  if (!file.etag.empty()) return file.etag == copy.etag;
  return !file.modified.empty() && file.modified == copy.modified && file.bytes == copy.bytes;
}

// Returns the first byte of "bytes 100-199/200"; nullopt if it is not of this form.
std::optional<std::uint64_t> start_of(const std::string& content_range) {
  constexpr std::string_view kUnit = "bytes ";
  if (!content_range.starts_with(kUnit)) return std::nullopt;
  std::uint64_t start = 0;
  const char* begin = content_range.data() + kUnit.size();
  const auto [end, failure] =
      std::from_chars(begin, content_range.data() + content_range.size(), start);
  if (failure != std::errc() || end == begin) return std::nullopt;
  return start;
}

// Downloads one file, in as many attempts as it takes.
class Download {
 public:
  Download(const ListedFile& file, Copies& copies, Client& client)
      : file_(file), copies_(copies), client_(client) {}

  // Returns the bytes that arrived; nullopt if the file has not changed. `most_bytes` limits the
  // file. Throws CallError, and Error(unreadable) if the copy cannot be written.
  std::optional<std::uint64_t> run(std::uint64_t most_bytes) {
    const std::optional<Copied> copy = copies_.find(file_.path);
    if (copy && is_current(file_, *copy)) return std::nullopt;
    if (file_.bytes.value_or(0) > most_bytes) refuse_file();
    for (int restarts = 0; restarts < 2; ++restarts) {
      const HttpReply reply = client_.call(
          [&] { return ask(copy, most_bytes); },
          [&](std::string_view bytes, const HttpReply& head) { return take(bytes, head); },
          Redirects::anywhere);
      writer_.reset();
      if (reply.status == 304 && copy) return std::nullopt;
      if (reply.status == 404) {
        throw CallError(ErrorCode::unreadable, "there is no such file (404)", 404, false);
      }
      if (reply.status == 416) {  // the part is not that of this file
        copies_.drop_part(file_.path);
        continue;
      }
      return finish(reply, most_bytes);
    }
    throw CallError(ErrorCode::unreadable, "the server sends no part of the file (416)", 416,
                    false);
  }

 private:
  [[noreturn]] static void refuse_file() {
    throw CallError(ErrorCode::too_large, "is too large", 0, false);
  }

  Ask ask(const std::optional<Copied>& copy, std::uint64_t most_bytes) {
    writer_.reset();
    began_ = false;
    Ask ask{.url = client_.url_of(file_.path), .most_bytes = most_bytes};
    const Part part = copies_.part_of(file_.path);
    start_ = is_strong(part.etag) ? part.bytes : 0;
    part_etag_ = part.etag;
    if (start_ > 0 && start_ < most_bytes) {
      ask.headers.push_back(format("Range: bytes={}-", start_));
      ask.headers.push_back("If-Range: " + part.etag);
    } else if (copy && !copy->etag.empty()) {
      start_ = 0;
      ask.headers.push_back("If-None-Match: " + copy->etag);
    } else if (copy && !copy->modified.empty()) {
      start_ = 0;
      ask.headers.push_back("If-Modified-Since: " + copy->modified);
    }
    return ask;
  }

  bool take(std::string_view bytes, const HttpReply& head) {
    if (!began_ && !begin(head)) return false;
    writer_->write(bytes);
    arrived_ += bytes.size();
    return !interrupted();
  }

  // Begins to write what a reply sends. Returns false if it is a part that does not go on where
  // ours ends, or is of another file.
  bool begin(const HttpReply& head) {
    const bool is_rest = head.status == 206;
    if (is_rest && (start_of(head.content_range) != start_ || head.etag != part_etag_)) {
      copies_.drop_part(file_.path);
      return false;
    }
    writer_ = std::make_unique<Copies::PartWriter>(copies_, file_.path, head.etag, !is_rest);
    began_ = true;
    return true;
  }

  std::uint64_t finish(const HttpReply& reply, std::uint64_t most_bytes) {
    if (!began_ && !begin(reply)) {  // an empty file, or a part that does not fit
      throw CallError(ErrorCode::unreadable, "the server sends another part than was asked for",
                      reply.status, false);
    }
    writer_.reset();
    const std::uint64_t bytes = copies_.part_of(file_.path).bytes;
    if (bytes > most_bytes) refuse_file();
    copies_.finish(file_.path,
                   {.etag = reply.etag, .modified = reply.last_modified, .bytes = bytes});
    return arrived_;
  }

  const ListedFile& file_;
  Copies& copies_;
  Client& client_;
  std::unique_ptr<Copies::PartWriter> writer_;
  bool began_ = false;  // something of the reply of this attempt was written
  std::uint64_t start_ = 0, arrived_ = 0;
  std::string part_etag_;
};

// All downloads of one address.
class Downloads {
 public:
  Downloads(const FetchRequest& request, const Waiting& waiting, Copies& copies,
            FetchReport* report)
      : request_(request), waiting_(waiting), copies_(copies), report_(*report) {}

  void run(const std::vector<ListedFile>& files) {
    Progress progress("fetching", "documents", std::ssize(files));
    std::atomic<std::size_t> next = 0;
    const std::size_t threads = std::min<std::size_t>(files.size(), kConnections);
    parallel_for(threads, static_cast<int>(threads), [&](std::size_t) {
      Client client(request_.address, request_.s3, waiting_);
      for (std::size_t i = next++; i < files.size(); i = next++) {
        throw_if_interrupted();
        fetch_one(files[i], client);
        progress.advance();
      }
    });
    progress.finish();
  }

 private:
  void fetch_one(const ListedFile& file, Client& client) {
    try {
      const auto arrived = Download(file, copies_, client).run(request_.options.file_bytes);
      const auto copy = copies_.find(file.path);
      const std::lock_guard lock(mutex_);
      lost_ = 0;
      if (arrived) ++report_.fetched;
      report_.bytes += static_cast<std::int64_t>(arrived.value_or(0));
      all_bytes_ += copy ? copy->bytes : 0;
    } catch (const CallError& error) {
      add_failure(file, error);
    }
    const std::lock_guard lock(mutex_);
    if (all_bytes_ > request_.options.bytes) refuse_size();
  }

  void add_failure(const ListedFile& file, const CallError& error) {
    documents::Address address = request_.address;
    address.path = file.path;
    address.is_folder = false;
    const std::string text = documents::address_text(address);
    std::string why = error.what();
    if (error.code() == ErrorCode::too_large) {
      why = format("is larger than {} bytes; to fetch it, raise --fetch-file-bytes",
                   request_.options.file_bytes);
      copies_.drop_part(file.path);
    }
    const std::lock_guard lock(mutex_);
    report_.failures.push_back({text, error.code(), format("{}: {}", text, why)});
    lost_ = error.is_lost() ? lost_ + 1 : 0;
    if (lost_ >= kMostLost) {
      throw Error(ErrorCode::unreadable,
                  format("{} (given up after {} documents)", error.what(), lost_));
    }
  }

 public:
  [[noreturn]] void refuse_size() const {
    throw Error(ErrorCode::input,
                format("all documents together are larger than {} bytes; name a folder with less, "
                       "or raise --fetch-bytes",
                       request_.options.bytes));
  }

 private:
  const FetchRequest& request_;
  const Waiting& waiting_;
  Copies& copies_;
  FetchReport& report_;
  std::mutex mutex_;  // guards the report and the next two members
  std::uint64_t all_bytes_ = 0;
  int lost_ = 0;  // calls one after the other for which the server could not be reached
};

bool is_under_any(const std::string& path, const std::vector<std::string>& folders) {
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    return folder.empty() || path.starts_with(folder + "/");
  });
}

// Removes copies of files that are no longer in the list.
std::int64_t remove_gone(const FetchRequest& request, const FileList& list, Copies& copies) {
  std::int64_t removed = 0;
  for (const std::string& path : copies.all_below(request.address.path)) {
    if (list.files.contains(path) || is_under_any(path, list.unseen)) continue;
    copies.remove(path);
    ++removed;
  }
  return removed;
}

// Returns whether the address is that of a file.
bool is_single(const FetchRequest& request, const FileList& list) {
  return list.files.size() == 1 && list.files.begin()->first == request.address.path;
}

// Returns whether the address is that of a file that could not be fetched.
bool is_failed_file(const FetchRequest& request, const FetchReport& report) {
  return !request.address.is_folder && report.failures.size() == 1 &&
         report.failures.front().address == documents::address_text(request.address);
}

std::string root_of_copies(const FetchRequest& request) {
  return request.folder + "/" + request.address.path;
}

FetchReport fetch_address(const FetchRequest& request, const Waiting& waiting) {
  FetchReport report;
  Client client(request.address, request.s3, waiting);
  FileList list = list_files(request.address, request.options, client);
  Copies copies(request.folder);
  Downloads downloads(request, waiting, copies, &report);
  std::vector<ListedFile> files;
  std::uint64_t bytes = 0;
  for (const auto& [path, file] : list.files) {
    const bool is_fetched = file.bytes.value_or(0) <= request.options.file_bytes;
    bytes += is_fetched ? file.bytes.value_or(0) : 0;
    files.push_back(file);
  }
  if (bytes > request.options.bytes) downloads.refuse_size();
  report.files = std::ssize(files);
  report.failures = std::move(list.failures);
  report.left = std::move(list.left);
  // First, so that a file may take the place of a folder that is gone.
  if (!is_single(request, list)) {
    report.removed = remove_gone(request, list, copies);
    make_folders(root_of_copies(request));
  }
  downloads.run(files);
  std::ranges::sort(report.failures, {}, &documents::UnfetchedFile::address);
  return report;
}

}  // namespace

// A file that was named and cannot be fetched is a failure of the address.
FetchReport fetch(const FetchRequest& request, const Waiting& waiting) {
  std::optional<documents::UnfetchedFile> failure;
  try {
    FetchReport report = fetch_address(request, waiting);
    if (is_failed_file(request, report)) failure = report.failures.front();
    if (!failure) return report;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted) throw;
    throw Error(error.code(),
                format("{}: {}", documents::address_text(request.address), error.what()));
  }
  throw Error(failure->code, failure->message);
}

}  // namespace fineprint::fetch
