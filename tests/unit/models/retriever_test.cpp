// What kind of retriever each fixture is, and how pages are shown to it.
#include "fineprint/models/retriever.h"

#include <gtest/gtest.h>

namespace fineprint::models {
namespace {

ModelSpec fixture(const std::string& name) {
  return read_model(FINEPRINT_TEST_DATA "/" + name + "/model");
}

TEST(Retriever, KindFollowsFromTheFolder) {
  EXPECT_EQ(retriever_kind(fixture("bert_mean_a")), RetrieverKind::text);
  EXPECT_EQ(retriever_kind(fixture("colbert_a")), RetrieverKind::late_text);
  EXPECT_EQ(retriever_kind(fixture("phi3v_a")), RetrieverKind::page);
  EXPECT_EQ(retriever_kind(fixture("dse_qwen2")), RetrieverKind::page);
  EXPECT_EQ(retriever_kind(fixture("colpali_a")), RetrieverKind::late);
  EXPECT_EQ(retriever_kind(fixture("colqwen2_a")), RetrieverKind::late);
}

TEST(Retriever, KindsSayWhatTheyAreOver) {
  EXPECT_EQ(kind_name(RetrieverKind::late_text), "late-text");
  EXPECT_EQ(kind_name(RetrieverKind::sparse_page), "sparse");
  EXPECT_TRUE(sees_pages(RetrieverKind::sparse_page));
  EXPECT_TRUE(gives_many_vectors(RetrieverKind::sparse_page));
  EXPECT_TRUE(sees_pages(RetrieverKind::late));
  EXPECT_FALSE(sees_pages(RetrieverKind::late_text));
  EXPECT_TRUE(gives_many_vectors(RetrieverKind::late_text));
  EXPECT_FALSE(gives_many_vectors(RetrieverKind::page));
}

TEST(Retriever, WidthIsThatOfTheProjectionOrOfTheTrunk) {
  EXPECT_EQ(vector_width(fixture("colpali_a")), 128U);
  EXPECT_EQ(vector_width(fixture("bert_mean_a")), 64U);
}

TEST(Retriever, PagesAreShownAsTheModelWasTrained) {
  EXPECT_EQ(to_string(fixture("colpali_a").raster), "144 dpi");
  EXPECT_EQ(to_string(fixture("phi3v_a").raster), "144 dpi, 1344x1344");
}

TEST(Retriever, HugePagesAreRasterisedMoreCoarsely) {
  const PageRaster raster;
  EXPECT_EQ(dpi_for(raster, 595, 842), 144);
  EXPECT_EQ(dpi_for(raster, 1684, 2384), 144);  // A1
  EXPECT_EQ(dpi_for(raster, 0, 0), 144);
  const double dpi = dpi_for(raster, 14400, 14400);  // the largest page of a PDF
  EXPECT_NEAR(14400 * dpi / 72, 4096, 1e-6);
}

TEST(Retriever, ThePictureIsStretchedOnlyWhereAsked) {
  const Image page{3, 2, 3, std::vector<std::uint8_t>(18, 7)};
  EXPECT_EQ(shown_to({144, 0}, page).width, 3);
  const Image stretched = shown_to({144, 8}, page);
  EXPECT_EQ(stretched.width, 8);
  EXPECT_EQ(stretched.height, 8);
  EXPECT_EQ(stretched.pixels, std::vector<std::uint8_t>(8 * 8 * 3, 7));
}

}  // namespace
}  // namespace fineprint::models
