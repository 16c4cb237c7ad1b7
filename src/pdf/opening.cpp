// Opens documents, with one clear reason for each way to fail.
#include "pdf/opening.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <mupdf/pdf.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fineprint/core/format.h"
#include "fineprint/core/given_files.h"

#include "pdf/file_stream.h"
#include "pdf/formats.h"
#include "pdf/locked_office.h"
#include "pdf/page_tree.h"

namespace fineprint::pdf {
namespace {

// The page on which MuPDF lays out a reflowable document (EPUB, HTML): A4, in points, with text of
// 11 points.
constexpr float kLayoutWidth = 595;
constexpr float kLayoutHeight = 842;
constexpr float kLayoutEm = 11;

// An encrypted OpenDocument file names its encryption in its list of parts.
bool is_locked_archive(fz_context* context, const std::string& path) {
  constexpr std::string_view kMark = "encryption-data";
  const char* name = path.c_str();
  fz_stream* file = nullptr;
  fz_archive* archive = nullptr;
  fz_buffer* list = nullptr;
  bool locked = false;
  guarded(context, [&] {
    file = open_file_stream(context, name);
    archive = fz_open_zip_archive_with_stream(context, file);
    list = fz_read_archive_entry(context, archive, "META-INF/manifest.xml");
    unsigned char* bytes = nullptr;
    const std::size_t size = fz_buffer_storage(context, list, &bytes);
    locked = memmem(bytes, size, kMark.data(), kMark.size()) != nullptr;
  });
  fz_drop_buffer(context, list);
  fz_drop_archive(context, archive);
  fz_drop_stream(context, file);
  return locked;
}

void check_not_locked(fz_context* context, const std::string& path) {
  if (!is_locked_office_file(path) && !is_locked_archive(context, path)) return;
  throw Error(ErrorCode::encrypted,
              format("{}: this office file is locked by a password and cannot be opened; save it "
                     "without a password or as PDF",
                     path));
}

// Throws Error(unsupported) if the first bytes are those of a format that is not read. Call it
// after a failure, because MuPDF believes the extension of a file.
void check_not_foreign(const std::string& path) {
  const std::string foreign = foreign_format(path);
  if (foreign.empty()) return;
  throw Error(ErrorCode::unsupported,
              format("{}: this is {}, a format that is not supported; convert it to PDF first",
                     path, foreign));
}

void open_file(fz_context* context, const std::string& path, OwnedDocument* document) {
  const char* name = path.c_str();
  fz_stream* file = nullptr;
  const Failure failure = guarded(context, [&] {
    file = open_file_stream(context, name);
    document->pointer = fz_open_document_with_stream(context, name, file);
  });
  fz_drop_stream(context, file);
  // MuPDF takes an OpenDocument file for a comic book of its pictures.
  const bool misread = !failure && is_open_document(path);
  if (!failure && !misread) return;
  const bool unknown = says(failure, "document handler");
  const bool hollow = says(failure, "no objects found");
  // The order of these checks matters: a lock explains more than a foreign format, and both explain
  // more than MuPDF's message.
  check_not_locked(context, path);
  if (misread || unknown || hollow) check_not_foreign(path);
  if (hollow) {
    throw Error(ErrorCode::damaged,
                format("{}: contains no part of a PDF; it is damaged or of another format", path));
  }
  if (unknown) {
    throw Error(
        ErrorCode::unsupported,
        format("{}: this format is not supported (supported are PDF, office files, XPS, EPUB, FB2, "
               "MOBI, CBZ, HTML, text and pictures); convert it to PDF first",
               path));
  }
  if (says(failure, "zip content is encrypted")) {
    throw Error(ErrorCode::encrypted,
                format("{}: the archive is encrypted; unpack it and index the files in it", path));
  }
  if (says(failure, "unknown encryption")) {
    throw Error(
        ErrorCode::unsupported,
        format("{}: encrypted by a method that is not supported: {}", path, failure.message));
  }
  throw error_of(failure, path + ": cannot be opened");
}

// Gives MuPDF the password if the document needs one.
void unlock(fz_context* context, const std::string& path, const std::string& password,
            fz_document* document) {
  int needed = 0;
  int accepted = 0;
  const char* given = password.c_str();
  const Failure failure = guarded(context, [&] {
    needed = fz_needs_password(context, document);
    if (needed != 0) accepted = fz_authenticate_password(context, document, given);
  });
  if (failure) throw error_of(failure, path + ": cannot decrypt it");
  if (needed == 0 || accepted != 0) return;
  if (password.empty()) {
    throw Error(ErrorCode::encrypted,
                format("{}: needs a password; give it with --password", path));
  }
  throw Error(ErrorCode::wrong_password, format("{}: wrong password", path));
}

// MuPDF opens any file with a picture's extension and reads it only when its page is loaded. This
// loads the page early, so that the file fails as a whole.
void check_only_page(fz_context* context, const std::string& path, fz_document* document) {
  OwnedPage page(context);
  const Failure failure =
      guarded(context, [&] { page.pointer = fz_load_page(context, document, 0); });
  if (!failure) return;
  check_not_foreign(path);
  const Error error = error_of(failure, path + ": cannot load its only page");
  if (error.code() != ErrorCode::unsupported) throw error;
  throw Error(error.code(), format("{}; convert it to PDF first", std::string_view(error.what())));
}

// If the catalogue of a PDF leads to no pages, searches the file for another catalogue, as for a
// truncated file. A PDF that says that it has no pages is left alone.
void recover_pages(fz_context* context, fz_document* document) {
  pdf_document* as_pdf = pdf_document_from_fz_document(context, document);
  if (as_pdf == nullptr || pdf_was_repaired(context, as_pdf) != 0) return;
  guarded(context, [&] {
    pdf_obj* count = pdf_dict_getp(context, pdf_trailer(context, as_pdf), "Root/Pages/Count");
    if (pdf_is_int(context, count) == 0) pdf_repair_xref(context, as_pdf);
  });
  mend_page_count(context, document);
}

bool was_repaired(fz_context* context, fz_document* document) {
  pdf_document* as_pdf = pdf_document_from_fz_document(context, document);
  return as_pdf != nullptr && pdf_was_repaired(context, as_pdf) != 0;
}

// For each page of a chapter, MuPDF goes through all running text of the chapter: a hundred times
// as many pages take ten thousand times as long.
constexpr int kMostPagesOfAChapter = 2000;

int longest_chapter(fz_context* context, fz_document* document) {
  int most = 0;
  const int chapters = fz_count_chapters(context, document);
  for (int chapter = 0; chapter < chapters; ++chapter) {
    most = std::max(most, fz_count_chapter_pages(context, document, chapter));
  }
  return most;
}

// Makes the pages of running text higher until there are no more than `wanted`. All pages get the
// height that the fullest one needs, because a document has one page size.
void heighten_pages(fz_context* context, float width, int wanted, fz_document* document) {
  constexpr float kGrowth = 1.25F, kTallest = 200 * kLayoutHeight;
  float height = kLayoutHeight;
  while (height < kTallest && fz_count_pages(context, document) > wanted) {
    height *= kGrowth;
    fz_layout_document(context, document, width, height, kLayoutEm);
  }
}

// Lays out running text on pages of this width in points, and counts the pages. There are no more
// than `wanted` if it is not 0. Throws Error if there are none.
void count_pages(fz_context* context, const std::string& path, float width, int wanted,
                 OwnedDocument* document, int* page_count) {
  int running_pages = 0;
  mend_page_count(context, document->pointer);
  Failure failure = guarded(context, [&] {
    if (fz_is_document_reflowable(context, document->pointer) != 0) {
      fz_layout_document(context, document->pointer, width, kLayoutHeight, kLayoutEm);
      if (wanted > 0) heighten_pages(context, width, wanted, document->pointer);
      running_pages = longest_chapter(context, document->pointer);
    }
    *page_count = fz_count_pages(context, document->pointer);
  });
  if (!failure && *page_count == 0) {
    recover_pages(context, document->pointer);
    failure = guarded(context, [&] { *page_count = fz_count_pages(context, document->pointer); });
  }
  if (failure) throw error_of(failure, path + ": cannot count its pages");
  if (running_pages > kMostPagesOfAChapter) {
    throw Error(ErrorCode::too_large,
                format("{}: has {} pages of running text, more than the limit of {}; split it or "
                       "convert it to PDF",
                       path, running_pages, kMostPagesOfAChapter));
  }
  if (*page_count == 1) check_only_page(context, path, document->pointer);
  if (*page_count > 0) return;
  if (was_repaired(context, document->pointer)) {
    throw Error(
        ErrorCode::damaged,
        format("{}: damaged or truncated, and no page can be recovered; get a complete copy",
               path));
  }
  throw Error(ErrorCode::empty, format("{}: this document has no pages", path));
}

}  // namespace

void check_file(const std::string& path) {
  struct stat facts{};
  const int given = given_descriptor(path);
  if ((given >= 0 ? fstat(given, &facts) : stat(path.c_str(), &facts)) != 0) {
    throw Error(ErrorCode::unreadable, format("{}: {}", path, std::strerror(errno)));
  }
  if (S_ISDIR(facts.st_mode)) {
    throw Error(ErrorCode::unreadable, format("{}: is a directory, not a document", path));
  }
  if (!S_ISREG(facts.st_mode)) {
    throw Error(ErrorCode::unreadable, format("{}: is not a regular file", path));
  }
  // MuPDF's message for a file without permission would not say so.
  if (given < 0 && access(path.c_str(), R_OK) != 0) {
    throw Error(ErrorCode::unreadable, format("{}: {}", path, std::strerror(errno)));
  }
  if (facts.st_size == 0) {
    throw Error(ErrorCode::empty, format("{}: this file is empty (0 bytes)", path));
  }
}

void open_content(fz_context* context, const std::string& path, const Content& content,
                  OwnedDocument* document, int* page_count) {
  const char* kind = content.kind.c_str();
  const auto* bytes = reinterpret_cast<const unsigned char*>(content.bytes.data());
  const std::size_t size = content.bytes.size();
  fz_stream* stream = nullptr;
  const Failure failure = guarded(context, [&] {
    stream = fz_open_memory(context, bytes, size);
    document->pointer = fz_open_document_with_stream(context, kind, stream);
  });
  fz_drop_stream(context, stream);
  if (failure) throw error_of(failure, path + ": cannot lay it out on pages");
  count_pages(context, path, content.width_pt, content.pages, document, page_count);
}

void open_document(fz_context* context, const std::string& path, const std::string& password,
                   OwnedDocument* document, int* page_count) {
  open_file(context, path, document);
  unlock(context, path, password, document->pointer);
  count_pages(context, path, kLayoutWidth, 0, document, page_count);
}

}  // namespace fineprint::pdf
