// Documents made up for the tests of the store: every value follows from a seed.
#pragma once

#include <random>
#include <string>

#include "fineprint/store/prefix_folder.h"
#include "fineprint/store/store.h"

namespace fineprint::store::testing {

struct SampleSize {
  int pages = 2;
  int words_a_page = 60;
  int vocabulary = 200;
};

// A page of lines of ten words, under one heading; words are "w<number>".
Page sample_page(int number, const SampleSize& size, std::mt19937& random);

// A consistent document: two chunks a page, the fields "page" and "chunk". Its title and its hash
// name the seed, so that a mixture of two versions would show.
NewDocument sample_document(const std::string& doc, unsigned seed, const SampleSize& size = {});

// "text": one float32 vector a chunk. "late": one to three vectors a page, int8 with exact ones.
VectorSet text_set();
VectorSet late_set();

// Vectors of these sets for a sample document, as its seed has them.
NewVectors text_vectors(const NewDocument& document, std::int64_t id);
NewVectors late_vectors(const NewDocument& document, std::int64_t id, std::uint32_t first_page,
                        std::uint32_t pages);

// Puts the document and the vectors of both sets, which it registers; those of "late" in two calls.
std::int64_t put_with_vectors(Store& store, const NewDocument& document);

// Whether everything that the store gives back for the document is what was put. Vectors may be
// missing.
::std::string difference(const Store& store, const NewDocument& put);

// Bytes that follow from a key; putting them, in three pieces.
std::string sample_state(const std::string& key, std::size_t bytes);
bool put_sample_state(PrefixFolder& folder, const std::string& key, std::size_t bytes);

}  // namespace fineprint::store::testing
