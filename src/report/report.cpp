// Writes the HTML page: markup, style, script, and the report as JSON inside it.
#include "fineprint/report/report.h"

#include <filesystem>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

#include "report/html.h"
#include "report/page_data.h"
#include "report_page.inc"

namespace fineprint::report {
namespace {

// Only the page's own style and script run, and only its pictures are loaded. Pictures in files are
// on the same server or on the same disk; "file:" is listed because not every browser lets 'self'
// match files on a disk.
std::string policy(const PagePictures& pictures) {
  const std::string images =
      !pictures.are_shown() ? "'none'" : (pictures.are_files() ? "'self' file:" : "data:");
  return format(
      "default-src 'none'; script-src {}; style-src {}; img-src {}; base-uri 'none'; form-action "
      "'none'",
      policy_hash(kPageScriptHash), policy_hash(kPageStyleHash), images);
}

// The title is the only text of a user that becomes markup, so it is escaped; everything else is in
// the packed data.
std::string page_of_html(const std::string& title, const Json& data, const PagePictures& pictures) {
  const std::string content_policy = policy(pictures), escaped_title = escape_html(title),
                    packed = packed_json(data);
  const Replacement values[] = {{"policy", content_policy},
                                {"title", escaped_title},
                                {"style", kPageStyle},
                                {"data", packed},
                                {"script", kPageScript}};
  return fill_in(kPageFrame, values);
}

// Returns, for example, "answers.pages" for "answers.html".
std::string folder_name(const std::filesystem::path& out) { return out.stem().string() + ".pages"; }

}  // namespace

Written write_report(const Material& material, const session::Corpus* corpus,
                     const session::PageImages* images, const ReportOptions& options,
                     const std::string& out) {
  const std::filesystem::path file(out);
  const std::string folder = (file.parent_path() / folder_name(file)).string();
  const std::vector<Entry> entries = entries_of(material);
  PagePictures pictures(corpus, images, options);
  want_pages(entries, &pictures);
  pictures.draw(folder);
  const Json data =
      page_data(material, entries, &pictures, pictures.are_files() ? folder_name(file) : "");
  const std::string html = page_of_html(material.title, data, pictures);
  write_file_atomic(out, html);
  Written written{.questions = entries.size(), .bytes = html.size(), .missing = pictures.missing()};
  if (pictures.are_shown()) written.pages = pictures.pages().size() - written.missing.size();
  if (pictures.are_files()) written.folder = folder;
  return written;
}

}  // namespace fineprint::report
