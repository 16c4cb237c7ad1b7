// Reads embedded files and XFA forms. Source: ISO 32000-1, 7.11.4 and 12.7.8.
#include "pdf/embedded.h"

#include <algorithm>
#include <array>
#include <utility>

#include <mupdf/pdf.h>

#include "fineprint/core/format.h"

#include "pdf/guard.h"

namespace fineprint::pdf {
namespace {

using OwnedObject = Owned<pdf_obj, pdf_drop_obj>;
using OwnedStream = Owned<fz_stream, fz_drop_stream>;

// Appends a stream to `out`, unpacked, up to `most` bytes. Returns why it could not, or "".
std::string append_stream(fz_context* context, pdf_obj* object, std::size_t most,
                          std::string* out) {
  OwnedStream stream(context);
  Failure failure = guarded(context, [&] { stream.pointer = pdf_open_stream(context, object); });
  std::array<unsigned char, 65536> block;
  std::size_t got = 1;
  while (!failure && got > 0) {
    failure = guarded(context,
                      [&] { got = fz_read(context, stream.pointer, block.data(), block.size()); });
    if (failure) break;
    out->append(reinterpret_cast<const char*>(block.data()), got);
    if (out->size() > most) return "it is too large";
  }
  return failure ? std::string(failure.message) : "";
}

// Returns the text of the first of these keys that the dictionary has, or "".
std::string text_of(fz_context* context, pdf_obj* dictionary,
                    std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    const char* text = nullptr;
    guarded(context, [&] {
      pdf_obj* value = pdf_dict_gets(context, dictionary, key);
      if (pdf_is_string(context, value) != 0) text = pdf_to_text_string(context, value);
    });
    if (text != nullptr && *text != '\0') return text;
  }
  return {};
}

// Returns the stream of a file specification: the first of the alternatives for several systems.
pdf_obj* stream_of(fz_context* context, pdf_obj* specification) {
  pdf_obj* found = nullptr;
  guarded(context, [&] {
    pdf_obj* files = pdf_dict_gets(context, specification, "EF");
    for (const char* key : {"UF", "F", "Unix", "Mac", "DOS"}) {
      pdf_obj* stream = pdf_dict_gets(context, files, key);
      if (found == nullptr && pdf_is_stream(context, stream) != 0) found = stream;
    }
  });
  return found;
}

}  // namespace

std::vector<EmbeddedFile> embedded_files(fz_context* context, fz_document* document) {
  pdf_document* as_pdf = pdf_document_from_fz_document(context, document);
  if (as_pdf == nullptr) return {};
  OwnedObject names(context);
  int count = 0;
  guarded(context, [&] {
    // Most documents have no such tree.
    if (pdf_dict_getp(context, pdf_trailer(context, as_pdf), "Root/Names/EmbeddedFiles") == nullptr)
      return;
    names.pointer = pdf_load_name_tree(context, as_pdf, PDF_NAME(EmbeddedFiles));
    count = pdf_dict_len(context, names.pointer);
  });
  EmbeddedFiles files;
  // One more than are kept, so that the list says that there are more.
  count = std::min(count, static_cast<int>(EmbeddedFiles::kMostFiles) + 1);
  for (int i = 0; i < count; ++i) {
    pdf_obj* specification = nullptr;
    guarded(context, [&] { specification = pdf_dict_get_val(context, names.pointer, i); });
    const std::string name = text_of(context, specification, {"UF", "F", "Unix", "Mac", "DOS"});
    pdf_obj* stream = stream_of(context, specification);
    if (stream == nullptr) continue;  // it names a file elsewhere
    std::string bytes;
    const std::string problem = append_stream(context, stream, files.room(), &bytes);
    if (problem.empty()) {
      files.add(name, std::move(bytes));
    } else {
      files.add_unread(name, problem);
    }
  }
  return files.take();
}

std::string dynamic_form(fz_context* context, fz_document* document) {
  pdf_document* as_pdf = pdf_document_from_fz_document(context, document);
  if (as_pdf == nullptr) return {};
  pdf_obj* form = nullptr;
  int parts = 0;
  guarded(context, [&] {
    pdf_obj* root = pdf_dict_gets(context, pdf_trailer(context, as_pdf), "Root");
    pdf_obj* fields = pdf_dict_gets(context, root, "AcroForm");
    pdf_obj* found = pdf_dict_gets(context, fields, "XFA");
    // A form that has pages of its own also has fields on them.
    const bool has_pages = pdf_array_len(context, pdf_dict_gets(context, fields, "Fields")) > 0;
    const bool is_made_later = pdf_to_bool(context, pdf_dict_gets(context, root, "NeedsRendering"));
    if (has_pages && !is_made_later) return;
    form = found;
    parts = pdf_is_array(context, found) != 0 ? pdf_array_len(context, found) : 0;
  });
  if (form == nullptr) return {};
  constexpr std::size_t kMostFormBytes = std::size_t{16} << 20;
  std::string xml;
  if (parts == 0) append_stream(context, form, kMostFormBytes, &xml);
  // An array has the names of parts and their streams in turn; together they are one XML file.
  for (int i = 1; i < parts; i += 2) {
    pdf_obj* part = nullptr;
    guarded(context, [&] { part = pdf_array_get(context, form, i); });
    if (!append_stream(context, part, kMostFormBytes, &xml).empty()) break;
  }
  return xml.empty() ? " " : xml;
}

}  // namespace fineprint::pdf
