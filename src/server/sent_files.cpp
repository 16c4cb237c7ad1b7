// Decodes files of requests, and reads them into temporary stores.
#include "server/sent_files.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <optional>
#include <utility>

#include "fineprint/core/base64.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"
#include "fineprint/core/log.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/temporary_folder.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/store/store.h"

#include "server/document_names.h"
#include "server/refusal.h"

namespace fineprint::server {
namespace {

constexpr auto kBetweenStopChecks = std::chrono::milliseconds(100);
constexpr std::size_t kMostKept = 16;
constexpr std::size_t kMostSentNameBytes = 120;
constexpr std::int64_t kMostOcrPages = 50;  // they take about a second each
constexpr std::int64_t kMostChunks = 200;   // embedded before the answer, in a few seconds

// Returns the kind of a file by its first bytes, or else by what the client says, or "".
std::string kind_of(std::string_view bytes, const std::string& media_type) {
  const FileFormat* format = format_of_bytes(bytes);
  if (format != nullptr && !format->kind().empty()) return std::string(format->kind());
  // The second part of many types is an extension: "image/png", "application/pdf", "text/csv".
  const std::string second = media_type.substr(media_type.find('/') + 1);
  if (format_of_extension(second) != nullptr) return second;
  return media_type.starts_with("text/") ? "txt" : "";
}

// A title is no file name: slashes, control characters and a leading dot are replaced.
std::string plain_name(const std::string& given) {
  std::string name(trim(shortened(one_line(valid_utf8(given)), kMostSentNameBytes)));
  for (char& c : name) {
    if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '-';
  }
  if (name.starts_with('.') || name.starts_with("~$")) name.front() = '-';
  return name;
}

std::string sent_name(std::string_view bytes, const SentDescription& description) {
  const std::string name = plain_name(description.name);
  if (format_of_name(name) != nullptr) return name;
  const std::string kind = kind_of(bytes, description.media_type);
  if (kind.empty()) {
    throw refused_field(description.path,
                        "is a file of an unknown kind; send its name with an extension");
  }
  return (name.empty() ? "document" : name) + "." + kind;
}

// "report.pdf" with 2 is "report (2).pdf".
std::string numbered_name(const std::string& name, int number) {
  const std::size_t dot = name.rfind('.');
  return format("{} ({}){}", name.substr(0, dot), number, name.substr(dot));
}

}  // namespace

SentFile sent_bytes(std::string bytes, const SentDescription& description) {
  if (bytes.empty()) throw refused_field(description.path, "is an empty file");
  std::string name = sent_name(bytes, description);
  return {.name = std::move(name), .bytes = std::make_shared<const std::string>(std::move(bytes))};
}

SentFile sent_file(const std::string& data, const SentDescription& description) {
  SentDescription known = description;
  std::string_view digits = data;
  if (digits.starts_with("data:")) {
    const std::size_t comma = digits.find(',');
    const std::string_view head = digits.substr(5, comma == std::string::npos ? 0 : comma - 5);
    if (!head.ends_with(";base64")) {
      throw refused_field(known.path, "must be a data URL in base64: data:TYPE;base64,DATA");
    }
    if (known.media_type.empty()) known.media_type = std::string(head.substr(0, head.find(';')));
    digits.remove_prefix(comma + 1);
  }
  const auto decoded = decode_base64(digits);
  if (!decoded) throw refused_field(known.path, "is not base64");
  return sent_bytes({reinterpret_cast<const char*>(decoded->data()), decoded->size()}, known);
}

void add_sent_file(const SentFile& file, std::vector<SentFile>* files) {
  SentFile added = file;
  std::int64_t bytes = std::ssize(*file.bytes);
  for (int number = 2;; ++number) {
    const auto same = std::ranges::find(*files, added.name, &SentFile::name);
    if (same == files->end()) break;
    if (*same->bytes == *file.bytes) return;
    added.name = numbered_name(file.name, number);
  }
  for (const SentFile& other : *files) bytes += std::ssize(*other.bytes);
  if (bytes > kMostSentBytes || files->size() >= kMostSentFiles) {
    throw Refusal(413, format("the files of a question may have {} bytes together, and be {}; add "
                              "larger ones with POST /v1/documents",
                              kMostSentBytes, kMostSentFiles));
  }
  files->push_back(std::move(added));
}

namespace {

// Clients must not learn about the machine's folders, so the reason goes to the log.
TemporaryFolder folder_for_files() try {
  return {"sent", "the files of a question"};
} catch (const Error& error) {
  log::error("{}", std::string_view(error.what()));
  throw Refusal(507, "the server cannot create a temporary folder for the files", 0,
                ErrorCode::unreadable);
}

}  // namespace

// A private folder with the files, their store and its session. It is removed with the object, as
// the last member.
struct SentFiles::Read {
  explicit Read(const std::vector<SentFile>& its_files)
      : files(its_files), folder(folder_for_files()) {}

  bool holds(const std::vector<SentFile>& wanted) const {
    return std::ranges::equal(files, wanted, [](const SentFile& a, const SentFile& b) {
      return a.name == b.name && *a.bytes == *b.bytes;
    });
  }

  std::vector<SentFile> files;
  TemporaryFolder folder;
  std::optional<store::Store> store;
  std::optional<session::Session> session;
};

namespace {

// Clients must not learn about the machine's folders, so the message has the file's name only.
void require_read(const ingest::IngestReport& report) {
  for (const ingest::FailedFile& failure : report.failures) {
    if (failure.kept) continue;
    std::string message = failure.message;
    for (std::size_t at = 0; (at = message.find(failure.path)) != std::string::npos;) {
      message.replace(at, failure.path.size(), failure.file);
    }
    throw Error(failure.code, message);
  }
  if (!report.skipped.empty()) {
    throw Refusal(415, format("{}: files of this kind are not read", report.skipped.front().file));
  }
}

// Reads texts first, so that files with too many scanned pages are refused before any of them is
// recognised.
void read_files(const std::string& dir, ingest::IngestOptions options, const StopToken& stop) {
  store::Store store(dir + "/store", store::Mode::write);
  options.texts_only = options.defer_ocr = true;
  const ingest::IngestReport first = ingest::ingest({dir + "/files"}, options, store);
  require_read(first);
  if (first.waiting_pages > kMostOcrPages) {
    throw Refusal(413, format("the files have {} scanned pages; the limit is {}; add them with "
                              "POST /v1/documents",
                              first.waiting_pages, kMostOcrPages));
  }
  throw_if_stopped(stop);
  // Vectors of texts that the question needs are made while it is answered, but all other vectors,
  // and graphs, must be made before.
  options.texts_only = first.lacking_chunks > kMostChunks && first.lacking_others == 0;
  options.defer_ocr = false;
  if (options.texts_only && first.waiting_pages == 0) return;
  require_read(ingest::ingest({dir + "/files"}, options, store));
  throw_if_stopped(stop);
}

}  // namespace

SentFiles::SentFiles(ingest::IngestOptions options, const session::Models& models)
    : options_(std::move(options)), models_(models) {}

std::shared_ptr<const session::Session> SentFiles::session(const std::vector<SentFile>& files,
                                                           const StopToken& stop) {
  std::unique_lock guard(reading_, std::defer_lock);
  do {
    throw_if_stopped(stop);
  } while (!guard.try_lock_for(kBetweenStopChecks));
  const auto found =
      std::ranges::find_if(kept_, [&](const auto& read) { return read->holds(files); });
  if (found != kept_.end()) {
    kept_.splice(kept_.begin(), kept_, found);
  } else {
    const auto read = std::make_shared<Read>(files);
    make_folders(read->folder.path() + "/files");
    for (const SentFile& file : files) {
      write_file_atomic(read->folder.path() + "/files/" + file.name, *file.bytes);
    }
    read_files(read->folder.path(), options_, stop);
    read->store.emplace(read->folder.path() + "/store", store::Mode::read);
    read->session.emplace(*read->store, models_);
    kept_.push_front(read);
    std::int64_t bytes = 0;
    std::size_t count = 0;
    // The newest one stays, however large it is.
    kept_.remove_if([&](const auto& one) {
      for (const SentFile& file : one->files) bytes += std::ssize(*file.bytes);
      return ++count > 1 && (count > kMostKept || bytes > 2 * kMostSentBytes);
    });
  }
  return {kept_.front(), &*kept_.front()->session};
}

}  // namespace fineprint::server
