// Reads, titles, chunks and indexes one document.
#include "ingest/prepare.h"

#include <algorithm>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/text.h"
#include "fineprint/session/source_file.h"
#include "fineprint/text/broken_words.h"
#include "fineprint/text/chunk.h"
#include "fineprint/text/language.h"

#include "ingest/fields.h"
#include "ingest/title.h"

namespace fineprint::ingest {
namespace {

// Returns the code at the beginning of a page's problem, for example "timed_out: not read within
// 120 seconds".
ErrorCode problem_code(const Page& page) {
  const std::size_t colon = page.problem.find(':');
  if (colon == std::string::npos) return ErrorCode::damaged;
  const ErrorCode code = code_from_name(page.problem.substr(0, colon));
  return code == ErrorCode::internal ? ErrorCode::damaged : code;
}

bool is_unread(const Page& page) { return !page.problem.empty() && page.words.empty(); }
bool is_read_in_part(const Page& page) { return !page.problem.empty() && !page.words.empty(); }

}  // namespace

std::vector<Page> read_all_pages(documents::DocumentWorkers& workers, const OpenedDocument& opened,
                                 const documents::ReadOptions& options,
                                 const std::function<void()>& on_page) {
  // The whole document is held in memory. The limit is about a gigabyte of words, twice as much as
  // the largest books together.
  constexpr std::size_t kMostWords = 16'000'000;
  std::vector<Page> pages;
  std::size_t words = 0;
  workers.read_pages(opened.row.path, opened.info, options, [&](Page page) {
    words += page.words.size();
    // Counted while reading, so that the limit bounds the memory and not only the result.
    if (words > kMostWords) {
      throw Error(
          ErrorCode::too_large,
          fineprint::format("{}: this document has more than {} words, the limit for one document",
                            opened.row.doc, kMostWords));
    }
    pages.push_back(std::move(page));
    on_page();
  });
  // A document of which nothing could be read is a failure; one with some pages is kept, with its
  // problems.
  const bool none_read = std::all_of(pages.begin(), pages.end(), is_unread);
  if (!none_read) return pages;
  if (pages.empty()) {
    throw Error(ErrorCode::damaged, opened.row.doc + ": none of its pages could be read");
  }
  const std::string what =
      pages.size() == 1
          ? std::string("its only page could not be read")
          : fineprint::format("none of its {} pages could be read; the first", pages.size());
  throw Error(problem_code(pages.front()),
              fineprint::format("{}: {}: {}", opened.row.doc, what, pages.front().problem));
}

bool is_unchanged(store::DocumentRow* row) {
  row->stamp = session::stamp_of(row->path);
  std::string hash = file_hash(row->path);
  const bool same = hash == row->hash;
  row->hash = std::move(hash);
  return same;
}

std::vector<Page> read_steady_pages(documents::DocumentWorkers& workers, OpenedDocument* opened,
                                    const documents::ReadOptions& options,
                                    const std::function<void()>& on_page) {
  // One more try, because the program that wrote the file may have finished meanwhile. A file that
  // changes again is still being written.
  constexpr int kAttempts = 2;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::vector<Page> pages;
    std::optional<Error> failure;
    try {
      // The outline and the number of pages belong to the file as it was; a second attempt reads
      // them again.
      if (attempt > 0 || opened->lacks_outline) {
        opened->info = workers.info(opened->row.path, options);
      }
      pages = read_all_pages(workers, *opened, options, on_page);
    } catch (const Error& error) {
      if (error.code() == ErrorCode::interrupted) throw;
      failure = error;
    }
    // Checked after reading: if the file was written to meanwhile, the pages are a mixture of two
    // states, and the failure may not be one of the finished file.
    if (!is_unchanged(&opened->row)) continue;
    if (failure) throw *failure;
    return pages;
  }
  throw Error(ErrorCode::unreadable,
              fineprint::format(
                  "{}: this file changes while it is read; index it again when no program writes "
                  "to it",
                  opened->row.doc));
}

store::NewDocument prepare(OpenedDocument opened, std::vector<Page> pages,
                           const tokenizer::Tokenizer& tokenizer) {
  store::NewDocument out;
  out.row = std::move(opened.row);
  out.info = std::move(opened.info);
  out.pages = std::move(pages);
  // Before chunks and terms, because both depend on the language of the page.
  text::tell_languages(&out.pages);
  text::mark_broken_words(&out.pages);
  out.row.title = document_title(out.info, out.pages, out.row.doc);
  out.row.page_count = static_cast<int>(out.pages.size());
  out.row.ocr_pages =
      static_cast<int>(std::count_if(out.pages.begin(), out.pages.end(), [](const Page& page) {
        return page.source == TextSource::ocr;
      }));
  out.row.waiting_pages = static_cast<int>(
      std::ranges::count_if(out.pages, [](const Page& page) { return page.waits; }));
  for (const Page& page : out.pages) {
    out.row.hidden_words += static_cast<int>(count_spaced_words(page.hidden));
    out.row.hidden_pages += page.hidden.empty() ? 0 : 1;
  }
  out.row.reflowable = out.info.reflowable;
  out.chunks = text::chunk_document(out.info, out.row.title, out.pages, tokenizer);
  out.fields = field_indexes(out);
  return out;
}

std::optional<FailedFile> page_problems(const store::DocumentRow& row,
                                        const std::vector<Page>& pages) {
  const auto unread = std::count_if(pages.begin(), pages.end(), is_unread);
  const auto partly = std::count_if(pages.begin(), pages.end(), is_read_in_part);
  if (unread + partly == 0) return std::nullopt;
  const auto first = unread > 0 ? std::find_if(pages.begin(), pages.end(), is_unread)
                                : std::find_if(pages.begin(), pages.end(), is_read_in_part);
  std::string what;
  if (unread > 0) {
    what = fineprint::format("{} of {} pages of {} could not be read, the others are indexed",
                             unread, row.page_count, row.doc);
    if (partly > 0) what += fineprint::format(", {} in part", partly);
  } else {
    what = fineprint::format("{} of {} pages of {} are indexed in part", partly, row.page_count,
                             row.doc);
  }
  return FailedFile{row.doc, row.path, problem_code(*first),
                    fineprint::format("{}; page {}: {}", what, first->number, first->problem),
                    true};
}

}  // namespace fineprint::ingest
