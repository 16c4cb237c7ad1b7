// Joins the pages of a document and of the files inside it.
#include "reading/document_reader.h"

#include <algorithm>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"
#include "fineprint/core/given_files.h"
#include "fineprint/core/unicode.h"

namespace fineprint::reading {
namespace {

// Limits for a document with all files inside it, at any depth. Mail in mail is text of that mail
// and counts as no file.
constexpr int kDeepestFile = 3;
constexpr std::size_t kMostParts = 200;
constexpr std::size_t kMostFileBytes = std::size_t{256} << 20;

// Returns an open file in memory with these bytes. Throws Error(out_of_memory).
int memory_file(const std::string& bytes) {
  const int made = memfd_create("fineprint-file", MFD_CLOEXEC);
  std::size_t done = 0;
  while (made >= 0 && done < bytes.size()) {
    const ssize_t wrote = write(made, bytes.data() + done, bytes.size() - done);
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  if (made >= 0 && done == bytes.size()) return made;
  if (made >= 0) close(made);
  throw Error(ErrorCode::out_of_memory, "no memory for a file inside the document");
}

// Returns the name by which the file is opened: readers go by extensions, so text with an unknown
// extension becomes ".txt".
std::string opened_name(const EmbeddedFile& file) {
  if (format_of_name(file.name) != nullptr) return file.name;
  const std::string head = file.bytes.substr(0, kSignatureBytes);
  const bool is_known =
      std::ranges::any_of(file_formats(), [&](const FileFormat& one) { return one.fits(head); });
  const bool is_text = file.bytes.find('\0') == std::string::npos;
  return !is_known && is_text && valid_utf8(file.bytes) == file.bytes ? file.name + ".txt"
                                                                      : file.name;
}

}  // namespace

DocumentReader::DocumentReader(const std::string& path, const Opening& opening,
                               const documents::WorkerLimits& limits, PictureReaders& readers)
    : passwords_(opening.passwords), limits_(limits), readers_(readers) {
  add(std::make_unique<PageReader>(path, opening, limits, readers), path, "", 0);
}

void DocumentReader::add(std::unique_ptr<PageReader> reader, const std::string& path,
                         const std::string& name, int depth) {
  DocumentInfo info = reader->info();
  if (page_count_ + info.page_count > limits_.max_pages) {
    throw Error(ErrorCode::too_large, format("more pages than the limit of {}", limits_.max_pages));
  }
  std::vector<EmbeddedFile> files = reader->take_files();
  std::optional<markup::Markup> form = reader->take_form();
  const int pages = info.page_count;
  parts_.push_back({std::move(reader), name, depth, page_count_, std::move(info)});
  page_count_ += pages;
  if (form && form->xhtml.empty()) {
    unread_ += "; a form that shows only a notice here (dynamic XFA), and has no texts";
  } else if (form) {
    add(std::make_unique<PageReader>(path, *std::move(form), limits_, readers_), path, "Form",
        depth + 1);
  }
  add_files(std::move(files), path, depth + 1);
}

void DocumentReader::add_files(std::vector<EmbeddedFile> files, const std::string& path,
                               int depth) {
  for (EmbeddedFile& file : files) {
    const std::string name = file.name;
    try {
      add_file(std::move(file), path, depth);
    } catch (const Error& error) {
      // One file inside must not cost the others, nor the document itself.
      unread_ += format("; {} ({}: {})", name, code_name(error.code()), error.what());
    }
  }
}

void DocumentReader::add_file(EmbeddedFile file, const std::string& path, int depth) {
  if (!file.problem.empty()) throw Error(ErrorCode::too_large, file.problem);
  if (depth > kDeepestFile) {
    throw Error(ErrorCode::too_large,
                format("is in a file in a file, deeper than {} levels", kDeepestFile));
  }
  file_bytes_ += file.bytes.size();
  if (parts_.size() >= kMostParts || file_bytes_ > kMostFileBytes) {
    throw Error(ErrorCode::too_large, format("only {} files and {} MiB in a document are read",
                                             kMostParts, kMostFileBytes >> 20));
  }
  const std::string inner = path + "/" + opened_name(file);
  add_given_file({inner, memory_file(file.bytes)});
  // A given encoding is that of the document itself.
  add(std::make_unique<PageReader>(inner, Opening{.passwords = passwords_}, limits_, readers_),
      inner, file.name, depth);
}

DocumentInfo DocumentReader::info() const {
  DocumentInfo info = parts_.front().info;
  info.page_count = page_count_;
  for (const Part& part : parts_) {
    if (part.depth == 0) continue;
    info.outline.push_back({part.depth, part.name, part.pages_before + 1});
    for (OutlineEntry entry : part.info.outline) {
      entry.level += part.depth;
      if (entry.page > 0) entry.page += part.pages_before;
      info.outline.push_back(std::move(entry));
    }
  }
  return info;
}

const DocumentReader::Part& DocumentReader::part_with(int page) const {
  // The last part that begins at or before the page. A page beyond the end is refused by its
  // reader.
  const auto after = std::ranges::upper_bound(parts_, page - 1, {}, &Part::pages_before);
  return after == parts_.begin() ? parts_.front() : *std::prev(after);
}

Page DocumentReader::page(int number, const documents::ReadOptions& options,
                          const PageReader::OnDraft& on_draft) {
  const Part& part = part_with(number);
  const auto numbered = [&](const Page& draft) {
    Page page = draft;
    page.number = number;
    if (on_draft) on_draft(page);
  };
  Page page = part.reader->page(number - part.pages_before, options, numbered);
  page.number = number;
  if (number == 1 && page.problem.empty() && !unread_.empty()) {
    page.problem = format("{}: files inside the document are not read: {}",
                          code_name(ErrorCode::unsupported), unread_.substr(2));
  }
  return page;
}

void DocumentReader::draw(int number, double dpi, bool grey, const pdf::Document::PixelRoom& room) {
  const Part& part = part_with(number);
  part.reader->draw(number - part.pages_before, dpi, grey, room);
}

}  // namespace fineprint::reading
