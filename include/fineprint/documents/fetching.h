// Brings copies of documents that are elsewhere up to date, and the interface to the library that
// downloads them. The library is opened at run time, because only these downloads need it and curl.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/option.h"
#include "fineprint/documents/address.h"

namespace fineprint::documents {

// What may be fetched.
enum class Fetching {
  never,
  https,  // over encrypted connections, and over others within this machine
  any,    // over connections that are not encrypted, too
};

// How documents are fetched. Limits are for each address.
struct FetchOptions {
  Fetching from = Fetching::never;
  int files = 10'000;                                   // documents
  std::uint64_t bytes = std::uint64_t{10} << 30;        // of all documents together
  std::uint64_t file_bytes = std::uint64_t{512} << 20;  // of one document; larger ones fail
};

const OptionTable<FetchOptions>& fetch_options();

// Who asks for documents of S3, and which server. Never logged, stored or part of a message, except
// the endpoint.
struct S3Access {
  std::string key_id, secret, token;  // empty: without credentials, as for public buckets
  std::string region = "us-east-1";
  std::string endpoint = {};  // "https://minio.example:9000"; empty: Amazon's
};
// Returns what the usual variables say: AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY,
// AWS_SESSION_TOKEN, AWS_REGION or AWS_DEFAULT_REGION, AWS_ENDPOINT_URL_S3 or AWS_ENDPOINT_URL.
// Throws Error(usage) if only one of key and secret is set, or if the endpoint is no URL of a
// server.
S3Access s3_access_of_environment();

// A document, or a folder of documents, that could not be fetched.
struct UnfetchedFile {
  std::string address;
  ErrorCode code = ErrorCode::unreadable;
  std::string message;  // begins with the address
};

// One address for the library.
struct FetchRequest {
  Address address;
  FetchOptions options;
  S3Access s3 = {};
  std::string folder = {};  // of the copies of this host; see host_folder()
};

// What was done about an address.
struct FetchReport {
  std::int64_t files = 0, fetched = 0, removed = 0;  // removed: copies of files that are gone
  std::int64_t bytes = 0;                            // that were downloaded
  std::vector<UnfetchedFile> failures;
  // Files of other kinds than documents, which were left where they are, by extension.
  std::map<std::string, std::int64_t> left;
};

// The functions that the library provides.
struct FetchTable {
  // Brings the copies of one address up to date. Copies whose entity tag or time and size are those
  // of the original are left alone. A file appears complete or not at all; the part of a file whose
  // download was interrupted is kept, and the next call goes on with it. Copies of files that are
  // gone are removed if the list of files was complete. Throws Error if nothing could be listed, if
  // a limit of FetchOptions other than `file_bytes` is exceeded, or on interrupts; the copies that
  // were complete by then stay.
  FetchReport (*fetch)(const FetchRequest& request);
};

// File name of the library; see own_library_path().
inline constexpr const char* kFetchLibrary = "libfineprint_fetch.so";
// Changes if program and library must not be mixed; see kReadingInterface.
inline constexpr std::uint64_t kFetchInterface =
    std::uint64_t{1} << 48 | sizeof(FetchRequest) << 32 | sizeof(FetchReport) << 16;
// The library's only exported function. Returns nullptr if `interface` is not its own.
using FetchEntry = const FetchTable*(std::uint64_t interface);
inline constexpr const char* kFetchEntry = "fineprint_fetch";

// Paths of this machine in place of addresses.
struct BroughtPaths {
  // In the order of the given ones. An address that could not be listed is left out, unless there
  // are copies of an earlier call.
  std::vector<std::string> paths;
  std::vector<UnfetchedFile> failures;  // of all addresses; they have been logged

  bool has_failures() const { return !failures.empty(); }
};

// Fetches what the addresses among `paths` name, and returns the paths of the copies in their
// place. Other paths stay as they are. Failures are logged as errors. Throws Error(usage) if an
// address is wrong or may not be fetched from, and the last failure if nothing is left.
BroughtPaths bring_here(const std::vector<std::string>& paths, const FetchOptions& options);

}  // namespace fineprint::documents
