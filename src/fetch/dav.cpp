// Lists folders of WebDAV servers. Source: RFC 4918, section 9.1.
#include <charconv>
#include <vector>

#include "fineprint/core/format.h"
#include "fineprint/markup/listing.h"

#include "fetch/lists.h"
#include "fetch/url.h"

namespace fineprint::fetch {
namespace {

using markup::XmlElement;

constexpr const char* kPropfind =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
    "<propfind xmlns=\"DAV:\"><prop><resourcetype/><getcontentlength/><getetag/>"
    "<getlastmodified/></prop></propfind>";

// What the server says about one file or folder.
struct Resource {
  std::string url;
  bool is_folder = false;
  ListedFile facts;
};

// Only properties that the server has: each response groups them by status.
void add_facts(const XmlElement& response, Resource* resource) {
  for (const XmlElement& group : response.children) {
    const XmlElement* facts = group.name == "propstat" ? group.child("prop") : nullptr;
    if (facts == nullptr || group.text_of("status").find(" 200") == std::string::npos) continue;
    const XmlElement* type = facts->child("resourcetype");
    resource->is_folder =
        resource->is_folder || (type != nullptr && type->child("collection") != nullptr);
    if (std::string etag = facts->text_of("getetag"); !etag.empty()) {
      resource->facts.etag = std::move(etag);
    }
    if (std::string time = facts->text_of("getlastmodified"); !time.empty()) {
      resource->facts.modified = std::move(time);
    }
    const std::string size = facts->text_of("getcontentlength");
    std::uint64_t bytes = 0;
    const auto [end, failure] = std::from_chars(size.data(), size.data() + size.size(), bytes);
    if (failure == std::errc() && end == size.data() + size.size()) resource->facts.bytes = bytes;
  }
}

// Returns the resource at `url` and, for a folder, those directly in it.
std::vector<Resource> resources_at(const std::string& url, Client& client) {
  HttpReply reply;
  std::string at;
  const std::string body = client.text({.url = url,
                                        .method = "PROPFIND",
                                        .headers = {"Depth: 1", "Content-Type: application/xml"},
                                        .body = kPropfind},
                                       &reply, &at);
  if (reply.status == 404) {
    throw CallError(ErrorCode::unreadable, "there is no such file or folder", 404, false);
  }
  if (reply.status != 207) {
    throw Error(ErrorCode::unreadable, format("the server does not speak WebDAV here (it replies "
                                              "{}); try https:// instead",
                                              reply.status));
  }
  const XmlElement answer = markup::parse_xml_list(body, "the list of the folder");
  std::vector<Resource> out;
  for (const XmlElement& response : answer.children) {
    if (response.name != "response") continue;
    Resource one{.url = resolved(at, response.text_of("href")), .facts = {}};
    add_facts(response, &one);
    if (!one.url.empty()) out.push_back(std::move(one));
  }
  return out;
}

// Returns whether the address is that of a file, which is then added.
bool add_single(const documents::Address& address, Client& client, ListBuilder& list) {
  const std::vector<Resource> found = resources_at(client.url_of(address.path), client);
  if (found.size() != 1 || found.front().is_folder) return false;
  ListedFile file = found.front().facts;
  file.path = address.path;
  list.add(std::move(file), "");
  return true;
}

}  // namespace

void list_dav(const documents::Address& address, Client& client, ListBuilder& list) {
  if (!address.is_folder && add_single(address, client, list)) return;
  const std::string start = address.path.empty() ? "" : address.path + "/";
  const std::string root = client.url_of(start);
  FolderQueue folders(address.path);
  while (const auto folder = folders.next()) {
    std::vector<Resource> resources;
    try {
      resources = resources_at(client.url_of(folder->empty() ? "" : *folder + "/"), client);
    } catch (const Error& error) {
      if (*folder == address.path || error.code() == ErrorCode::interrupted) throw;
      list.add_unseen(*folder, error);
    }
    for (Resource& one : resources) {
      const auto found = below(root, one.url);
      if (!found) continue;  // the folder itself, or something that is not below it
      const std::string path = start + found->path;
      if (!one.is_folder) {
        one.facts.path = path;
        list.add(std::move(one.facts), found->problem);
      } else if (list.takes_folder(path, found->problem)) {
        folders.add(path);
      }
    }
  }
}

}  // namespace fineprint::fetch
