// Has addresses fetched by the library for it.
#include "fineprint/documents/fetching.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include <dlfcn.h>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/own_library.h"
#include "fineprint/core/text.h"

namespace fineprint::documents {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Returns the first of two variables that is set.
std::string either(const char* first, const char* second) {
  std::string value = variable(first);
  return value.empty() ? variable(second) : value;
}

const FetchTable& fetch_library() {
  static const FetchTable* table = [] {
    const std::string path = own_library_path(kFetchLibrary);
    const auto refuse = [&](const std::string& why) {
      throw Error(
          ErrorCode::internal,
          format("{}: {}; install fineprint again, or build it with scripts/fineprint", path, why));
    };
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) refuse(format("cannot be opened: {}", dlerror()));
    void* function = dlsym(library, kFetchEntry);
    if (function == nullptr) refuse("is not the library for downloads");
    const FetchTable* found = reinterpret_cast<FetchEntry*>(function)(kFetchInterface);
    if (found == nullptr) refuse("belongs to another build of this program");
    return found;
  }();
  return *table;
}

// Returns host and port of a server's URL.
std::string host_of(const std::string& url) { return url.empty() ? "" : parse_address(url).host; }

// Refuses an address that the options do not allow.
void check_allowed(const Address& address, const FetchRequest& request) {
  const std::string text = address_text(address);
  if (request.options.from == Fetching::never) {
    throw Error(ErrorCode::usage,
                format("{}: documents are fetched from elsewhere only with --fetch https (or with "
                       "fetch = \"https\" in your own configuration file)",
                       text));
  }
  const bool is_s3 = address.kind == AddressKind::s3;
  const std::string& scheme = is_s3 ? request.s3.endpoint : address.scheme;
  const bool is_plain = scheme.starts_with("http:") || scheme == "http" || scheme == "webdav+http";
  const std::string host = is_s3 ? host_of(request.s3.endpoint) : address.host;
  if (is_plain && request.options.from != Fetching::any && !is_loopback_host(host)) {
    throw Error(ErrorCode::usage,
                format("{}: the connection to {} would not be encrypted; use https, or --fetch any",
                       text, host));
  }
}

void tell_report(const Address& address, const FetchReport& report) {
  const std::string text = address_text(address);
  log::note("{}: {} documents, {} of them fetched now ({:.1f} MB){}", text, report.files,
            report.fetched, static_cast<double>(report.bytes) / 1e6,
            report.removed > 0 ? format(", {} removed", report.removed) : std::string());
  if (report.left.empty()) return;
  log::note("{}: left where they are, because fineprint does not read these kinds: {}", text,
            join_texts(report.left, ", ", [](const auto& one) {
              return format("{} {}", one.second,
                            one.first.empty() ? "without an extension" : "." + one.first);
            }));
}

// Fetches the documents of one address. Adds failures, also that of the address itself, to
// `failures`.
void fetch_one(const FetchRequest& request, std::vector<UnfetchedFile>* failures) {
  try {
    FetchReport report = fetch_library().fetch(request);
    tell_report(request.address, report);
    std::ranges::move(report.failures, std::back_inserter(*failures));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::interrupted || error.code() == ErrorCode::internal) throw;
    failures->push_back({address_text(request.address), error.code(), error.what()});
  }
}

}  // namespace

const OptionTable<FetchOptions>& fetch_options() {
  static const OptionTable<FetchOptions> table =
      OptionTable<FetchOptions>()
          .add("fetch", &FetchOptions::from,
               OptionNames<Fetching>{
                   {"never", Fetching::never}, {"https", Fetching::https}, {"any", Fetching::any}},
               {.help = "fetch documents from addresses (s3://, https://, webdav+https://): https "
                        "means only over encrypted connections or from this machine; see "
                        "`fineprint help elsewhere`",
                .value = "FROM",
                .same_answers = true})
          .add("fetch-files", &FetchOptions::files,
               {.help = "the largest number of documents to fetch from one address",
                .value = "N",
                .bounds = {.least = 1},
                .same_answers = true})
          .add_bytes("fetch-bytes", &FetchOptions::bytes,
                     {.help = "the largest size of all documents of one address",
                      .value = "SIZE",
                      .same_answers = true})
          .add_bytes("fetch-file-bytes", &FetchOptions::file_bytes,
                     {.help = "the largest document to fetch; larger ones count as failed",
                      .value = "SIZE",
                      .same_answers = true});
  return table;
}

S3Access s3_access_of_environment() {
  S3Access access{.key_id = variable("AWS_ACCESS_KEY_ID"),
                  .secret = variable("AWS_SECRET_ACCESS_KEY"),
                  .token = variable("AWS_SESSION_TOKEN"),
                  .endpoint = either("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")};
  if (access.key_id.empty() != access.secret.empty()) {
    throw Error(ErrorCode::usage,
                "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set; set both, or "
                "neither for public buckets");
  }
  if (std::string region = either("AWS_REGION", "AWS_DEFAULT_REGION"); !region.empty()) {
    access.region = std::move(region);
  }
  while (access.endpoint.ends_with('/')) access.endpoint.pop_back();
  const bool is_server = access.endpoint.empty() || access.endpoint.starts_with("https://") ||
                         access.endpoint.starts_with("http://");
  if (!is_server || (!access.endpoint.empty() && !parse_address(access.endpoint).path.empty())) {
    throw Error(ErrorCode::usage,
                "AWS_ENDPOINT_URL must be https://HOST or https://HOST:PORT, without a path");
  }
  return access;
}

BroughtPaths bring_here(const std::vector<std::string>& paths, const FetchOptions& options) {
  std::vector<std::pair<std::string, std::optional<FetchRequest>>> planned;
  for (const std::string& path : paths) {
    auto& [kept, request] = planned.emplace_back(path, std::nullopt);
    if (!is_address(path)) continue;
    request.emplace(FetchRequest{.address = parse_address(path), .options = options});
    const bool is_s3 = request->address.kind == AddressKind::s3;
    if (is_s3) request->s3 = s3_access_of_environment();
    request->folder = host_folder(request->address, host_of(request->s3.endpoint));
    const std::string& inner = request->address.path;
    kept = request->folder + (inner.empty() ? "" : "/" + inner);
  }
  // All of them before anything is fetched, so that a wrong address costs no time.
  for (const auto& [path, request] : planned) {
    if (request) check_allowed(request->address, *request);
  }
  BroughtPaths out;
  for (auto& [path, request] : planned) {
    if (request) fetch_one(*request, &out.failures);
    std::error_code unknown;
    if (!request || std::filesystem::exists(path, unknown)) out.paths.push_back(std::move(path));
  }
  // The last failure ends the command, if nothing is left to do.
  const bool ends = out.paths.empty() && !out.failures.empty();
  for (const UnfetchedFile& failure : out.failures) {
    if (ends && &failure == &out.failures.back()) throw Error(failure.code, failure.message);
    log::error("{}", failure.message);
  }
  return out;
}

}  // namespace fineprint::documents
