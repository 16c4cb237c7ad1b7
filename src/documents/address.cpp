// Takes addresses apart, and maps them to paths of copies and back.
#include "fineprint/documents/address.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/percent.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"

namespace fineprint::documents {
namespace {

struct Scheme {
  std::string_view name;
  AddressKind kind;
};
constexpr std::array<Scheme, 5> kSchemes = {{{"s3", AddressKind::s3},
                                             {"https", AddressKind::web},
                                             {"http", AddressKind::web},
                                             {"webdav+https", AddressKind::dav},
                                             {"webdav+http", AddressKind::dav}}};
// As most file systems have it.
constexpr std::size_t kMostNameBytes = 255;
// The path of a copy has the user's cache folder before it; 4,096 bytes is the limit of Linux.
constexpr std::size_t kMostPathBytes = 2'000;

bool is_scheme_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
         c == '-' || c == '.';
}

bool is_unreserved(char c) { return (is_scheme_letter(c) && c != '+') || c == '_' || c == '~'; }

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

// `shown` is the address without anything secret.
[[noreturn]] void refuse_address(std::string_view shown, std::string_view why) {
  throw Error(ErrorCode::usage, format("{}: {}", shown, why));
}

// Host names, and addresses of IPv6 in brackets, with a port. Names of buckets have these letters,
// too.
bool is_plain_host(std::string_view host) {
  return !host.empty() &&
         std::ranges::all_of(
             host, [](char c) { return is_unreserved(c) || c == ':' || c == '[' || c == ']'; }) &&
         host != "." && host != "..";
}

const Scheme* scheme_of(std::string_view name) {
  const auto* found = std::ranges::find(kSchemes, name, &Scheme::name);
  return found == kSchemes.end() ? nullptr : found;
}

// Refuses what an address must not contain, before anything of it is shown.
void check_address(std::string_view text, std::string_view shown, std::string_view host) {
  if (host.find('@') != std::string_view::npos) {
    refuse_address(shown,
                   "an address must not contain a user name or password; put them into ~/.netrc, "
                   "or for S3 into the variables AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  }
  if (text.find('?') != std::string_view::npos) {
    refuse_address(shown,
                   "addresses with a query ('?') are not fetched, because queries often hold keys "
                   "that would be stored with the documents; download the file yourself");
  }
  if (text.find('#') != std::string_view::npos) {
    refuse_address(shown, "an address must not contain '#'; a file is fetched as a whole");
  }
  if (!is_plain_host(host)) refuse_address(shown, "there must be a host or bucket after \"//\"");
}

std::string decoded_path(std::string_view encoded, std::string_view shown, bool is_key) {
  // Keys of S3 are written as they are, as its own tools do.
  const auto path = is_key ? std::optional(std::string(encoded)) : percent_decoded(encoded);
  if (!path) refuse_address(shown, "a '%' must be followed by two hexadecimal digits");
  // A slash that is encoded would become another folder.
  const bool same_parts = std::ranges::count(*path, '/') == std::ranges::count(encoded, '/');
  const std::string problem = same_parts ? path_problem(*path) : "a name contains a slash";
  if (!path->empty() && !problem.empty()) refuse_address(shown, problem);
  return *path;
}

}  // namespace

bool is_address(std::string_view text) {
  const std::size_t end = text.find("://");
  return end != std::string_view::npos && end > 0 &&
         std::ranges::all_of(text.substr(0, end), is_scheme_letter);
}

Address parse_address(std::string_view text) {
  const std::size_t end = text.find("://");
  if (!is_address(text)) refuse_address(text, "is not an address");
  Address address{.scheme = lower_ascii(text.substr(0, end))};
  const std::string_view rest = text.substr(end + 3);
  const std::size_t slash = std::min(rest.find_first_of("/?#"), rest.size());
  const std::string_view host = rest.substr(0, slash);
  // What comes before '@' may be a password, and what comes after '?' a key.
  const std::string_view bare = host.substr(host.rfind('@') + 1);
  const std::string_view after = rest.substr(slash, rest.find_first_of("?#") - slash);
  const std::string shown = format("{}://{}{}", address.scheme, bare, after);
  const Scheme* scheme = scheme_of(address.scheme);
  if (scheme == nullptr) {
    refuse_address(shown, format("documents are fetched from s3://, https:// and webdav+https:// "
                                 "(http:// and webdav+http:// are not encrypted), not from {}://",
                                 address.scheme));
  }
  check_address(text, shown, host);
  address.kind = scheme->kind;
  const bool is_key = address.kind == AddressKind::s3;
  address.host = is_key ? std::string(host) : lower_ascii(host);
  std::string_view path = rest.substr(slash);
  if (path.starts_with('/')) path.remove_prefix(1);
  address.is_folder = path.empty() || path.ends_with('/');
  if (path.ends_with('/')) path.remove_suffix(1);
  address.path = decoded_path(path, shown, is_key);
  return address;
}

std::string address_text(const Address& address) {
  const bool is_key = address.kind == AddressKind::s3;
  std::string out = format("{}://{}", address.scheme, address.host);
  if (!address.path.empty()) {
    out += "/" + (is_key ? address.path : percent_encoded(address.path, "/"));
  }
  if (address.is_folder) out += '/';
  return out;
}

bool is_loopback_host(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1) == "[::1]";
  host = host.substr(0, host.find(':'));
  // Only digits and dots: 127.example is the name of some host.
  const bool is_number = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return host == "localhost" || (is_number && host.starts_with("127."));
}

std::string name_problem(std::string_view part) {
  if (part.empty()) return "a name is empty";
  if (part == "." || part == "..") return format("a name is \"{}\"", part);
  if (part.size() > kMostNameBytes) {
    return format("a name is longer than {} bytes", kMostNameBytes);
  }
  if (part.find('/') != std::string_view::npos) return "a name contains a slash";
  if (std::ranges::any_of(part, is_control)) return "a name contains a control character";
  if (valid_utf8(part) != part) return "a name is not UTF-8";
  return "";
}

std::string path_problem(std::string_view path) {
  if (path.size() > kMostPathBytes)
    return format("the path is longer than {} bytes", kMostPathBytes);
  while (true) {
    const std::size_t slash = path.find('/');
    if (std::string problem = name_problem(path.substr(0, slash)); !problem.empty()) return problem;
    if (slash == std::string_view::npos) return "";
    path.remove_prefix(slash + 1);
  }
}

std::string copies_folder() {
  namespace fs = std::filesystem;
  const fs::path folder = user_cache_dir() + "/fetched";
  std::error_code unknown;
  const fs::path plain = fs::weakly_canonical(folder, unknown);
  return (unknown ? folder : plain).string();
}

std::string host_folder(const Address& address, const std::string& endpoint) {
  const std::string server = endpoint.empty() ? "" : "@" + endpoint;
  return format("{}/{}/{}{}", copies_folder(), address.scheme, address.host, server);
}

std::string address_of_copy(const std::string& path) {
  const std::string folder = copies_folder() + "/";
  if (!path.starts_with(folder)) return "";
  const std::string_view inner = std::string_view(path).substr(folder.size());
  const std::size_t after_scheme = std::min(inner.find('/'), inner.size());
  const Scheme* scheme = scheme_of(inner.substr(0, after_scheme));
  if (scheme == nullptr || after_scheme == inner.size()) return "";
  const std::string_view rest = inner.substr(after_scheme + 1);
  const std::size_t after_host = std::min(rest.find('/'), rest.size());
  const std::string_view host = rest.substr(0, after_host);
  Address address{.kind = scheme->kind, .scheme = std::string(scheme->name)};
  address.host = host.substr(0, host.find('@'));
  if (after_host < rest.size()) address.path = rest.substr(after_host + 1);
  return address_text(address);
}

std::string shown_path(const std::string& path) {
  std::string address = address_of_copy(path);
  return address.empty() ? path : address;
}

std::string shown_message(std::string message, const std::string& path) {
  const std::string address = address_of_copy(path);
  if (address.empty()) return message;
  for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos;) {
    message.replace(at, path.size(), address);
    at += address.size();
  }
  return message;
}

}  // namespace fineprint::documents
