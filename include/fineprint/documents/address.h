// Addresses of documents that are not on this machine, and where their copies are kept.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fineprint::documents {

// How documents at an address are listed and fetched.
enum class AddressKind {
  s3,   // s3://BUCKET/KEY: a bucket of Amazon S3, or of a server that speaks its protocol
  web,  // https://HOST/PATH: a file, or with a final '/' a page of links
  dav,  // webdav+https://HOST/PATH: a file or folder of a WebDAV server
};

// An address, taken apart.
struct Address {
  AddressKind kind = AddressKind::web;
  std::string scheme;     // "s3", "https", "http", "webdav+https" or "webdav+http"
  std::string host = {};  // in lower case, with its port if one is given; of S3 the bucket
  // Without percent encoding and without '/' at its ends: "annual reports/2024.pdf". Empty: all of
  // the host or bucket.
  std::string path = {};
  bool is_folder = false;  // it ended in '/', or has no path

  bool operator==(const Address&) const = default;
};

// Returns whether the text begins like an address, with any scheme: "s3://". Never a path of this
// machine that anybody would have typed.
bool is_address(std::string_view text);

// Takes an address apart. Throws Error(usage) if its scheme is not one of the above, if the host is
// missing or contains anything but its name and port, if it has a query ('?') or a fragment ('#'),
// or if a part of its path could not be the name of a file (see name_problem). User names and
// passwords are refused, too, and the message does not repeat them.
Address parse_address(std::string_view text);

// Returns the address as people write it, with percent encoding of everything that needs it.
std::string address_text(const Address& address);

// Returns whether a host, which may have a port after it, is this machine: localhost, 127.0.0.0/8
// or [::1].
bool is_loopback_host(std::string_view host);

// Returns why a part of a path elsewhere cannot become the name of a file here, or "" if it can:
// "", ".", "..", more than 255 bytes, a slash, a control character, or bytes that are no UTF-8.
std::string name_problem(std::string_view part);
// Returns the same for a complete path: for its first part with a problem, or because it is longer
// than 2,000 bytes.
std::string path_problem(std::string_view path);

// Returns the folder in the user's cache folder that holds all copies: without symbolic links, so
// that paths can be compared with it. Does not create it.
std::string copies_folder();
// Returns the folder of the copies of this address' host or bucket. `endpoint` is the host and port
// of the server that holds the bucket, or empty for Amazon's; for example, copies_folder() +
// "/s3/reports@minio.example:9000".
std::string host_folder(const Address& address, const std::string& endpoint);

// Returns the address of the file or folder that this path holds a copy of, or "" if it is not in
// copies_folder().
std::string address_of_copy(const std::string& path);
// Returns the path, or the address of what it is a copy of: what to show people.
std::string shown_path(const std::string& path);
// Returns a message about the file at `path` with its address in place of the path.
std::string shown_message(std::string message, const std::string& path);

}  // namespace fineprint::documents
