// Answers questions about kinds from the table of formats.
#include "fineprint/documents/kinds.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "fineprint/core/formats.h"
#include "fineprint/core/text.h"

#include "documents/formats.h"

namespace fineprint::documents {
namespace {

// Returns the usual extension of the same format. `extension` is in lower case.
std::string usual_extension(const std::string& extension) {
  const FileFormat* format = format_of_extension(extension);
  return format == nullptr ? extension : std::string(format->kind());
}

bool is_group(const std::string& name) {
  return std::ranges::find(kFormatGroups, name) != kFormatGroups.end();
}

// Returns false if `kind` is another extension of its format.
bool is_kind_in(const std::string& kind, const std::string& group) {
  const FileFormat* format = format_of_extension(kind);
  return format != nullptr && format->kind() == kind && format->is_in(group);
}

// Normalizes what a user typed, so that ".PDF" and "PDF" both mean "pdf".
std::string normalized(const std::string& asked) {
  return lower_ascii(asked.starts_with('.') ? asked.substr(1) : asked);
}

}  // namespace

std::string kind_of(const std::string& path) {
  const std::string extension = extension_of(path);
  if (extension.empty()) return "pdf";  // no other file without an extension is read
  return has_document_name(path) ? usual_extension(extension) : "";
}

bool is_of_kind(const std::string& kind, const std::string& asked) {
  const std::string name = normalized(asked);
  if (is_group(name)) return is_kind_in(kind, name);
  return !kind.empty() && usual_extension(name) == kind;
}

bool is_known_kind(const std::string& asked) {
  const std::string name = normalized(asked);
  return is_group(name) || (!name.empty() && has_document_name("a." + name));
}

std::string kind_groups() {
  std::string names;
  for (const std::string_view group : kFormatGroups) {
    names += (names.empty() ? "" : ", ") + std::string(group);
  }
  return names;
}

}  // namespace fineprint::documents
