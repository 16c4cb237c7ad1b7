// Lists the objects of a bucket. Source: ListObjectsV2 of Amazon S3, API version 2006-03-01.
#include <charconv>
#include <optional>

#include "fineprint/core/format.h"
#include "fineprint/core/percent.h"
#include "fineprint/markup/listing.h"

#include "fetch/lists.h"

namespace fineprint::fetch {
namespace {

using markup::XmlElement;

// A page has up to 1,000 objects. Pages without any come from buckets with many deleted versions.
constexpr int kMostEmptyPages = 100;

std::optional<std::uint64_t> size_of(const XmlElement& object) {
  const std::string text = object.text_of("Size");
  std::uint64_t bytes = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), bytes);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return bytes;
}

// Names in alphabetical order, because the query is signed.
std::string list_query(const std::string& prefix, const std::string& token) {
  const std::string start =
      token.empty() ? "" : "continuation-token=" + percent_encoded(token) + "&";
  return start + "encoding-type=url&list-type=2&prefix=" + percent_encoded(prefix);
}

// Adds the object if it has exactly this key. Returns whether there is one.
bool add_object(const documents::Address& address, Client& client, ListBuilder& list) {
  HttpReply reply;
  client.text({.url = client.url_of(address.path), .method = "HEAD"}, &reply);
  if (reply.status != 200) return false;
  list.add({.path = address.path,
            .bytes = reply.length,
            .etag = reply.etag,
            .modified = reply.last_modified},
           "");
  return true;
}

// Keys come percent-encoded, because XML cannot hold all characters that a key may have.
void add_listed(const XmlElement& object, const std::string& prefix, ListBuilder& list) {
  std::string encoded = object.text_of("Key");
  for (char& c : encoded) c = c == '+' ? ' ' : c;  // blanks are written as in forms
  const std::string key = percent_decoded(encoded).value_or(encoded);
  if (!key.starts_with(prefix)) {
    throw Error(ErrorCode::damaged, "the list has objects that were not asked for");
  }
  if (key.ends_with('/')) return;  // what some programs create to show an empty folder
  list.add({.path = key,
            .bytes = size_of(object),
            .etag = object.text_of("ETag"),
            .modified = object.text_of("LastModified")},
           documents::path_problem(key));
}

}  // namespace

void list_bucket(const documents::Address& address, Client& client, ListBuilder& list) {
  if (!address.is_folder && add_object(address, client, list)) return;
  const std::string prefix = address.path.empty() ? "" : address.path + "/";
  std::string token;
  std::int64_t objects = 0;
  for (int empty = 0; empty <= kMostEmptyPages;) {
    HttpReply reply;
    const std::string body =
        client.text({.url = client.url_of("", list_query(prefix, token))}, &reply);
    if (reply.status != 200) {
      throw CallError(ErrorCode::unreadable, "there is no such bucket", reply.status, false);
    }
    const XmlElement page = markup::parse_xml_list(body, "the list of objects");
    if (page.name != "ListBucketResult") {
      throw Error(ErrorCode::damaged, format("the list of objects is a {}", page.name));
    }
    std::int64_t here = 0;
    for (const XmlElement& object : page.children) {
      if (object.name != "Contents") continue;
      add_listed(object, prefix, list);
      ++here;
    }
    objects += here;
    empty = here == 0 ? empty + 1 : 0;
    if (page.text_of("IsTruncated") != "true") {
      if (objects > 0 || prefix.empty()) return;
      throw CallError(ErrorCode::unreadable, "there is no such object or folder", 404, false);
    }
    const std::string next = page.text_of("NextContinuationToken");
    if (next.empty() || next == token) break;
    token = next;
  }
  throw Error(ErrorCode::damaged, "the list of objects does not end");
}

}  // namespace fineprint::fetch
