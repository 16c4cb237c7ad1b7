// Makes examples of pages and their texts.
#include "fineprint/train/page_examples.h"

#include "fineprint/core/document.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"

namespace fineprint::train {

// Written at the end, so that an interrupted run leaves no file that looks complete.
PageExamples write_page_examples(const session::Corpus& corpus,
                                 const std::vector<std::string>& docs, const std::string& file) {
  PageExamples made;
  std::string lines;
  for (const DocumentId id : corpus.pool(docs)) {
    throw_if_interrupted();
    const session::CorpusDocument& document = corpus.documents()[id.value];
    for (int page = 1; page <= document.row.page_count; ++page) {
      const std::string text = page_text(corpus.page(corpus.page_number(id, page)));
      if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
        ++made.without_words;
        continue;
      }
      lines += dump_json({{"query", text},
                          {"positive", {{"image", format("{}#{}", document.row.path, page)}}}}) +
               "\n";
      ++made.pages;
    }
  }
  write_file_atomic(file, lines);
  return made;
}

}  // namespace fineprint::train
