// The options of reports.
#include "fineprint/report/report.h"

namespace fineprint::report {

const OptionTable<ReportOptions>& report_options() {
  static const OptionNames<Pictures> kPictures = {{"auto", Pictures::automatic},
                                                  {"embed", Pictures::embed},
                                                  {"files", Pictures::files},
                                                  {"none", Pictures::none}};
  static const OptionTable<ReportOptions> table =
      OptionTable<ReportOptions>()
          .add("pictures", &ReportOptions::pictures, kPictures,
               {.help = "where to put a report's pictures of pages: embed puts them into its file, "
                        "files into a folder next to it, auto embeds up to 40, and all of a table",
                .value = "WHERE",
                .same_answers = true})
          .add("dpi", &ReportOptions::dpi,
               {.help = "the resolution of pictures of pages, in dots per inch",
                .value = "N",
                .bounds = {.least = 18, .most = 1200},
                .same_answers = true});
  return table;
}

}  // namespace fineprint::report
