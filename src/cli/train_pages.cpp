// `fineprint train pages`: pages and their texts, for training without questions.
#include "cli/train_pages.h"

#include <string>

#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"
#include "fineprint/session/corpus.h"
#include "fineprint/store/store.h"

#include "cli/output.h"
#include "cli/wiring.h"

namespace fineprint::cli {

int make_pages(const Settings& settings) {
  const std::string& out = settings.text("out");
  if (out.empty())
    throw Error(ErrorCode::usage, "--out FILE is missing: the file for the examples");
  const store::Store store(store_dir(settings), store::Mode::read);
  const session::Corpus corpus(store);
  std::string lines;
  long count = 0, without_words = 0;
  for (const std::uint32_t index : corpus.pool(settings.list("doc"))) {
    throw_if_interrupted();
    const session::CorpusDocument& document = corpus.documents()[index];
    for (int page = 1; page <= document.row.page_count; ++page) {
      const std::string text = page_text(corpus.page(corpus.page_number(index, page)));
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        ++without_words;
        continue;
      }
      lines += dump_json({{"query", text},
                          {"positive", {{"image", format("{}#{}", document.row.path, page)}}}}) +
               "\n";
      ++count;
    }
  }
  write_file_atomic(out, lines);
  if (settings.flag("json")) {
    print_line(dump_json({{"pages", count}, {"without_words", without_words}, {"file", out}}));
  } else {
    print_line(format("{}: {} pages; {} have no words", out, count, without_words));
  }
  return 0;
}

}  // namespace fineprint::cli
