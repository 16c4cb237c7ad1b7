// Asks documents the questions of a table's columns, and turns the answers into its cells.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/answering/answering.h"
#include "fineprint/core/document.h"
#include "fineprint/core/ids.h"
#include "fineprint/core/records.h"
#include "fineprint/session/context.h"
#include "fineprint/sheet/sheet.h"

namespace fineprint::answering {

// The questions of a table: one for each document and column. Without a generator, the labels of a
// column are looked for first (pipelines::named_value), and the pipeline answers where no label has
// a value. A generator gets the type and the labels with the
// question. All arguments must outlive the object.
class TableCells {
 public:
  TableCells(const Answering& answering, bool has_generator,
             const std::vector<sheet::Column>& columns, const session::Session& session);

  // Returns the questions of these documents, document by document. The id of a question depends on
  // the contents of its document and on what the column asks, so that an answer counts until one of
  // them changes.
  std::vector<Question> questions(const session::Pool& documents);
  // Answers one of questions(). Safe from several threads. Throws what Answering::answer throws.
  Answer answer(const Question& question) const;
  // Returns the table of these documents, in their order. `answers` may have others, too; of
  // several with one id the last counts. Cells whose confidence is below `sure` are empty.
  sheet::Sheet table(const session::Pool& documents, const std::vector<Answer>& answers,
                     double sure) const;

 private:
  using DocumentPages = std::shared_ptr<const std::vector<Page>>;
  // What a question is about.
  struct Asked {
    DocumentId document;
    std::size_t column = 0;
  };

  Question question(DocumentId document, const sheet::Column& column) const;
  std::string asked_text(const sheet::Column& column) const;
  DocumentPages pages_of(DocumentId document) const;
  sheet::Cell cell(const Answer& answer, const sheet::Column& column, double sure) const;

  const Answering& answering_;
  const bool has_generator_;
  const std::vector<sheet::Column>& columns_;
  const session::Session& session_;
  std::map<std::string, Asked> asked_;  // by id
  // The document that was read last, because the questions of a document follow each other.
  mutable std::mutex mutex_;
  mutable std::pair<DocumentId, DocumentPages> read_last_;
};

}  // namespace fineprint::answering
