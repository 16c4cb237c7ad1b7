// Lists folders that a web server shows as pages of links.
#include <set>
#include <vector>

#include "fineprint/core/format.h"
#include "fineprint/markup/listing.h"

#include "fetch/lists.h"
#include "fetch/url.h"

namespace fineprint::fetch {
namespace {

// Returns the links of the page of a folder as complete URLs, and sets `at` to the folder's URL.
std::vector<std::string> links_at(const std::string& url, Client& client, std::string* at) {
  HttpReply reply;
  const std::string body = client.text({.url = url}, &reply, at);
  if (reply.status != 200) {
    throw CallError(ErrorCode::unreadable, format("there is no such folder ({})", reply.status),
                    reply.status, false);
  }
  if (!reply.content_type.starts_with("text/html") &&
      !reply.content_type.starts_with("application/xhtml")) {
    throw Error(ErrorCode::unreadable,
                format("the folder is not a page of links but {}; for a file, leave out the '/' at "
                       "the end",
                       reply.content_type.empty() ? "of no type" : reply.content_type));
  }
  const markup::PageLinks page = markup::parse_page_links(body);
  const std::string base = page.base.empty() ? *at : resolved(*at, page.base);
  std::vector<std::string> out;
  for (const std::string& link : page.links) {
    if (std::string one = resolved(base, link); !one.empty()) out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

void list_pages(const documents::Address& address, Client& client, ListBuilder& list) {
  const std::string start = address.path.empty() ? "" : address.path + "/";
  const std::string root = client.url_of(start);
  FolderQueue folders(address.path);
  std::set<std::string> known;  // files
  bool has_links = false;
  while (const auto folder = folders.next()) {
    std::vector<std::string> links;
    try {
      std::string at;
      links = links_at(client.url_of(folder->empty() ? "" : *folder + "/"), client, &at);
    } catch (const Error& error) {
      if (*folder == address.path || error.code() == ErrorCode::interrupted) throw;
      list.add_unseen(*folder, error);
      continue;
    }
    for (const std::string& link : links) {
      const auto found = below(root, link);
      if (!found) continue;  // the folder above, another order of the list, another site
      has_links = true;
      const std::string path = start + found->path;
      if (!found->is_folder) {
        if (known.insert(path).second) list.add({.path = path}, found->problem);
      } else if (list.takes_folder(path, found->problem)) {
        folders.add(path);
      }
    }
    // A page that says that the server is being repaired, for example. If it passed for an empty
    // folder, all copies would be removed.
    if (!has_links) {
      throw Error(ErrorCode::unreadable, "the page has no link to a file or folder below it");
    }
  }
}

}  // namespace fineprint::fetch
