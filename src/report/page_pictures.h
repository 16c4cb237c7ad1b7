// The pages that a report shows. Each is drawn once.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/report/report.h"

#include "report/page_finder.h"

namespace fineprint::report {

// A page that is shown.
struct ShownPage {
  PageRef page;              // by its name in the store, or as the answer names it
  std::string source = {};   // the picture: a data URL or a file name; empty: none
  std::string problem = {};  // why there is no picture
  float width_pt = 0, height_pt = 0;
};

class PagePictures {
 public:
  // Without a corpus, no page can be found. The arguments must outlive the object.
  PagePictures(const session::Corpus* corpus, const session::PageImages* images,
               const ReportOptions& options);

  // Registers a page to show and returns its index in pages(). `docs` are the documents of the
  // question, for a page whose document has no name.
  std::size_t want(const PageRef& page, const std::vector<std::string>& docs = {});

  // Draws all pages with several threads: into files in `folder`, which is created, or into memory,
  // depending on the options and the number of pages. Throws Error(unreadable) and
  // Error(interrupted).
  void draw(const std::string& folder);

  bool are_shown() const { return images_ != nullptr && options_.pictures != Pictures::none; }
  bool are_files() const { return are_files_; }
  const std::vector<ShownPage>& pages() const { return pages_; }
  std::vector<MissingPage> missing() const;

 private:
  void draw_page(std::size_t at, const std::string& folder);
  std::string file_name(PageId dense_page) const;

  const session::Corpus* corpus_;
  const session::PageImages* images_;
  const ReportOptions options_;
  std::optional<PageFinder> finder_;
  std::vector<ShownPage> pages_;
  std::vector<std::optional<PageId>> dense_;  // the id of each; nullopt: not in the store
  std::map<PageRef, std::size_t> place_;
  bool are_files_ = false;
};

}  // namespace fineprint::report
