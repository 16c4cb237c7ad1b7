// Documents made up for the tests of the store: every value follows from a seed.
#pragma once

#include <random>
#include <string>

#include "fineprint/store/store.h"

namespace fineprint::store::testing {

struct SampleSize {
  int pages = 2;
  int words_a_page = 60;
  int vocabulary = 200;
  std::size_t dim = 8;
};

// A page of lines of ten words, under one heading; words are "w<number>".
Page sample_page(int number, const SampleSize& size, std::mt19937& random);

// A consistent document: two chunks a page, the fields "page" and "chunk", vectors "text". Its
// title names the seed, so that a mixture of two versions would show.
NewDocument sample_document(const std::string& doc, unsigned seed, const SampleSize& size = {});

// Whether everything that the store gives back for `doc` is what was put.
::std::string difference(const Store& store, const NewDocument& put);

}  // namespace fineprint::store::testing
