// The parts that all loaders share: finding files, reading fields with problems that name them, and
// adding questions.
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

// Returns the first of these files or folders that exists in `dir`. Throws Error(input) with all
// names if none exists.
std::string find_in(const std::string& dir, std::initializer_list<std::string_view> names);
// Like find_in, but returns an empty string if none exists.
std::string find_if_any(const std::string& dir, std::initializer_list<std::string_view> names);

// The number of the first page in a benchmark's data.
enum class PageBase { zero = 0, one = 1 };

// Collects a benchmark's questions and the defects of its data.
class Loading {
 public:
  // `documents` are the files and folders to index.
  explicit Loading(std::vector<std::string> documents);

  std::vector<DataProblem>* problems() { return &data_.problems; }
  void problem(const Source& source, std::string_view field, const std::string& what);

  // Returns the text of a required field; a number becomes text. If it is missing or has another
  // type, adds a problem and returns nullopt.
  std::optional<std::string> need_text(const Source& source, const char* field);
  // Like need_text, for a field that may be missing or null.
  std::optional<std::string> text(const Source& source, const char* field);
  // Returns a list of strings, which may be written into a string as Python prints it. Anything
  // else is a problem.
  std::vector<std::string> list(const Source& source, const char* field);
  // Returns pages of `doc` from a list of numbers, which may be written into a string. Pages before
  // the first and repeated pages are problems and dropped. Returns nullopt if the field is missing
  // or not such a list.
  std::optional<std::vector<PageRef>> pages(const Source& source, const char* field, PageBase base,
                                            const std::string& doc);
  // Returns the page of a number that was read. Before the first page, adds a problem and returns
  // nullopt.
  std::optional<PageRef> page(const Source& source, std::string_view field, long number,
                              PageBase base, const std::string& doc);

  // Returns the store's name of the document that a question names. If there is no such file, adds
  // a problem, once for each document.
  std::string document(const Source& source, const char* field, const std::string& file);

  // Adds a question. `extra` are further fields that belong to it. A repeated id is a problem and
  // gets a number appended. If there is no id, one is made from the question's text and documents.
  // An answerable question with an empty list of gold pages is a problem.
  void add(const Source& source, Question question, Json extra);

  BenchmarkData* data() { return &data_; }
  BenchmarkData take() { return std::move(data_); }

 private:
  std::string unused_id(const Source& source, const std::string& id);

  BenchmarkData data_;
  std::map<std::string, std::size_t> line_of_id_;
  std::set<std::string> looked_for_;
};

// Returns the fields with these names that the record has.
Json fields_of(const Source& source, std::initializer_list<const char*> names);

}  // namespace fineprint::bench
