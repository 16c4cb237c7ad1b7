// Maps file extensions to kinds, and groups kinds.
#include "fineprint/documents/kinds.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

#include "documents/formats.h"

namespace fineprint::documents {
namespace {

// Extensions of the same format as `kind`.
struct Alias {
  std::string_view extension, kind;
};
constexpr std::array<Alias, 15> kAliases = {{{"jpeg", "jpg"},
                                             {"jpe", "jpg"},
                                             {"jfif", "jpg"},
                                             {"tiff", "tif"},
                                             {"jpx", "jp2"},
                                             {"j2k", "jp2"},
                                             {"jpf", "jp2"},
                                             {"heif", "heic"},
                                             {"htm", "html"},
                                             {"xhtml", "html"},
                                             {"oxps", "xps"},
                                             {"tab", "tsv"},
                                             {"ltx", "tex"},
                                             {"latex", "tex"},
                                             {"djv", "djvu"}}};

// A name for several kinds. A kind may belong to several groups, for example xlsx.
struct Group {
  std::string_view name;
  std::vector<std::string_view> kinds;
};
const std::vector<Group>& groups() {
  static const std::vector<Group> all = {{"book", {"epub", "fb2", "mobi", "cbz"}},
                                         {"image",
                                          {"png", "jpg", "tif", "bmp", "gif", "jp2", "pbm", "pgm",
                                           "ppm", "pam", "pnm", "webp", "heic", "avif", "svg"}},
                                         {"mail", {"eml", "msg"}},
                                         {"office",
                                          {"docx", "docm", "pptx", "pptm", "xlsx", "xlsm", "odt",
                                           "odp", "ods", "rtf", "doc", "ppt", "xls"}},
                                         {"table", {"csv", "tsv", "xlsx", "xlsm", "xls", "ods"}},
                                         {"text", {"txt", "md", "html", "rst", "tex", "json"}}};
  return all;
}

// Returns the usual extension of the same format. `extension` is in lower case.
std::string usual_extension(const std::string& extension) {
  const auto alias = std::ranges::find(kAliases, extension, &Alias::extension);
  return alias == kAliases.end() ? extension : std::string(alias->kind);
}

std::string in_lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

const Group* group_named(const std::string& name) {
  const auto found = std::ranges::find(groups(), name, &Group::name);
  return found == groups().end() ? nullptr : &*found;
}

// Normalizes what a user typed, so that ".PDF" and "PDF" both mean "pdf".
std::string normalized(const std::string& asked) {
  return in_lower_case(asked.starts_with('.') ? asked.substr(1) : asked);
}

}  // namespace

std::string kind_of(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension.empty()) return "pdf";  // no other file without an extension is read
  return has_document_name(path) ? usual_extension(extension) : "";
}

bool is_of_kind(const std::string& kind, const std::string& asked) {
  const std::string name = normalized(asked);
  if (const Group* group = group_named(name)) return std::ranges::count(group->kinds, kind) > 0;
  return !kind.empty() && usual_extension(name) == kind;
}

bool is_known_kind(const std::string& asked) {
  const std::string name = normalized(asked);
  return group_named(name) != nullptr || (!name.empty() && has_document_name("a." + name));
}

std::string kind_groups() {
  std::string names;
  for (const Group& group : groups()) {
    names += (names.empty() ? "" : ", ") + std::string(group.name);
  }
  return names;
}

}  // namespace fineprint::documents
