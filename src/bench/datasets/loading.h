// What all loaders share: finding files, reading fields with problems that name them, adding
// questions.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "bench/datasets/sources.h"

namespace fineprint::bench {

// The first of these files or folders that the folder has. Throws Error(input) naming all when it
// has none.
std::string find_in(const std::string& dir, std::initializer_list<std::string_view> names);
// The same without the error: empty when there is none.
std::string find_if_any(const std::string& dir, std::initializer_list<std::string_view> names);

// The number of the first page in what is read.
enum class PageBase { zero = 0, one = 1 };

// Gathers a benchmark's questions and what is wrong with them.
class Loading {
 public:
  // Documents lie in these files and folders.
  explicit Loading(std::vector<std::string> documents);

  std::vector<DataProblem>* problems() { return &data_.problems; }
  void problem(const Source& source, std::string_view field, const std::string& what);

  // A field that must be there: its text, a number as it is written; a problem and nullopt where it
  // is missing or something else.
  std::optional<std::string> need_text(const Source& source, const char* field);
  // The same of one that may be missing or null.
  std::optional<std::string> text(const Source& source, const char* field);
  // A list of texts, itself or as Python writes it into a string. What is no list is a problem.
  std::vector<std::string> list(const Source& source, const char* field);
  // Pages of `doc`, as a list of numbers, itself or in a string; those before the first and
  // repeated ones are problems and dropped. nullopt where the field is missing or no such list.
  std::optional<std::vector<PageRef>> pages(const Source& source, const char* field, PageBase base,
                                            const std::string& doc);
  // One page number that was read; nullopt and a problem before the first.
  std::optional<PageRef> page(const Source& source, std::string_view field, long number,
                              PageBase base, const std::string& doc);

  // The name in the store of the document that a question names. A problem where no such file is
  // there, once a document.
  std::string document(const Source& source, const char* field, const std::string& file);

  // `extra` are further fields that go with the question. An id that was used already is a problem,
  // and gets a number. Without an id the question's words and documents make one. A question that
  // can be answered and has an empty list of gold pages is a problem.
  void add(const Source& source, Question question, Json extra);

  BenchmarkData* data() { return &data_; }
  BenchmarkData take() { return std::move(data_); }

 private:
  std::string unused_id(const Source& source, const std::string& id);

  BenchmarkData data_;
  std::map<std::string, std::size_t> line_of_id_;
  std::set<std::string> looked_for_;
};

// Fields of the record, by these names, as far as it has them.
Json fields_of(const Source& source, std::initializer_list<const char*> names);

}  // namespace fineprint::bench
