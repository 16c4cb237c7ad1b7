// Turns failures into rows of the store, and rows into failures.
#include "ingest/known_failures.h"

#include <utility>

#include "ingest/prepare.h"

namespace fineprint::ingest {

std::optional<store::UnreadFile> unread_file(const store::DocumentRow& row, const Error& error,
                                             bool opened, const ReadingSettings& settings) {
  const ErrorCode code = error.code();
  // These causes may be gone at the next run, although the file is unchanged.
  const bool may_pass = code == ErrorCode::internal || code == ErrorCode::unreadable ||
                        (opened && code == ErrorCode::unsupported);
  if (may_pass) return std::nullopt;
  return store::UnreadFile{.doc = row.doc,
                           .path = row.path,
                           .settings = settings.hash_for_failure(row.path),
                           .stamp = row.stamp,
                           .code = code,
                           .message = error.what()};
}

std::vector<FailedFile> known_page_problems(const std::vector<store::DocumentRow>& documents,
                                            const store::Store& store) {
  const auto numbers = store.pages_with_problems();
  std::vector<FailedFile> out;
  for (const store::DocumentRow& row : documents) {
    const auto troubled = numbers.find(row.id);
    if (troubled == numbers.end()) continue;
    std::vector<Page> pages;
    for (const int number : troubled->second) pages.push_back(store.page(row.id, number));
    std::optional<FailedFile> failure = page_problems(row, pages);
    if (!failure) continue;
    failure->known = true;
    out.push_back(*std::move(failure));
  }
  return out;
}

}  // namespace fineprint::ingest
