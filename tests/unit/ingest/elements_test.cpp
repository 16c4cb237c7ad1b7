// Vectors of what maps name: made of captions and of what is cut out, and anew when maps change.
#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/threads.h"
#include "fineprint/docmap/document_map.h"
#include "fineprint/docmap/stored_map.h"
#include "fineprint/image/crop.h"
#include "fineprint/image/resample.h"

#include "ingest_fixture.h"

namespace fineprint::ingest::testing {
namespace {

namespace fs = std::filesystem;
using Elements = std::vector<docmap::MappedElement>;
using Names = std::vector<std::string>;

class ElementVectors : public IngestTest {
 protected:
  ElementVectors() {
    add("docs/harbor-annual-report.pdf", "a.pdf");
    options_.retrievers = {"late", "late-text"};
    options_.map = "heuristic";
    options_.elements = true;
  }

  Elements elements(const std::string& doc = "a.pdf") const {
    const store::Store store = reader();
    return docmap::stored_map(store, store.find(doc).value()).elements;
  }
  std::int64_t count(const std::string& doc = "a.pdf") const { return std::ssize(elements(doc)); }
  // What the encoder is to be shown of an element, 144 dots per inch.
  Image picture(const docmap::MappedElement& element) {
    documents::DocumentWorkers files({1, {}, {}, {}});
    const Image page = files.raster(dir_.file("in/a.pdf"), element.page, 144, false, options_.read);
    const Page stored = reader().page(reader().find("a.pdf")->id, element.page);
    const Box part =
        intersected(docmap::cut_out_of(element), {0, 0, stored.width_pt, stored.height_pt});
    return image::crop(page, part, 2);
  }
  // Only pictures of elements are left to embed.
  void embed_pages_first() {
    options_.elements = false;
    run();
    options_.retrievers.clear();
    options_.scorers = {"late"};
    options_.elements = true;
  }
  // The map of a document with another first caption.
  void change_map() {
    store::Store store(dir_.file("s"), store::Mode::write);
    const auto row = store.find("a.pdf").value();
    docmap::DocumentMap map = docmap::stored_map(store, row);
    map.elements.at(0).caption = "Another caption";
    map.elements.at(0).summary.clear();
    store.put_document_map(row.id, docmap::to_stored(map, store.document_map(row.id)->maker));
  }
};

TEST_F(ElementVectors, AreThoseOfCaptionsAndOfWhatIsCutOut) {
  const IngestReport report = run();
  ASSERT_GE(count(), 2);
  EXPECT_EQ(sets(), (Names{"late", "late-elements", "late-text", "late-text-elements", "text",
                           "text-elements"}));
  for (const char* set : {"late-elements", "late-text-elements", "text-elements"}) {
    EXPECT_EQ(report.vectors.at(set), count()) << set;
    EXPECT_EQ(std::ssize(vectors(set)), count()) << set;
  }
  const auto by_image = vectors("late-elements"), by_text = vectors("late-text-elements");
  for (std::uint32_t i = 0; i < count(); ++i) {
    const docmap::MappedElement element = elements()[i];
    EXPECT_EQ(by_image.at({"a.pdf", i}), fake_vectors("late", picture(element)).values)
        << element.id;
    EXPECT_EQ(by_text.at({"a.pdf", i}),
              fake_vectors("late-text", docmap::element_text(element)).values)
        << element.id;
  }
  for (const store::VectorSet& set : reader().vector_sets()) {
    if (set.name != "late-elements") continue;
    EXPECT_EQ(set.unit, store::VectorUnit::element);
    EXPECT_EQ(set.hash, "late");
    EXPECT_EQ(set.input, "144 dpi");
    EXPECT_TRUE(set.many_vectors);
  }
}

TEST_F(ElementVectors, AreStretchedWhereTheModelWantsIt) {
  options_.retrievers = {"page"};
  run();
  const Image stretched = image::resample(picture(elements()[0]), 32, 32, image::Filter::bicubic,
                                          image::Arithmetic::pillow);
  EXPECT_EQ(vectors("page-elements").at({"a.pdf", 0}), fake_vectors("page", stretched).values);
}

TEST_F(ElementVectors, AreMadeOnlyWhenAsked) {
  options_.elements = false;
  run();
  EXPECT_EQ(sets(), (Names{"late", "late-text", "text"}));
}

TEST_F(ElementVectors, AreKeptUpToDateWithoutBeingAskedForAgain) {
  run();
  const int loads = counts_.loads;
  options_.elements = false;
  options_.retrievers.clear();
  const IngestReport again = run_without_workers();
  EXPECT_EQ(again.vectors.at("late-elements"), 0);
  EXPECT_EQ(counts_.loads, loads);
  add("docs/reef-survey-paper.pdf", "b.pdf");
  const IngestReport more = run();
  EXPECT_EQ(more.vectors.at("late-elements"), count("b.pdf"));
  EXPECT_EQ(more.vectors.at("late-text-elements"), count("b.pdf"));
}

// A document without a map has no elements.
TEST_F(ElementVectors, OfDocumentsWithoutMapsAreNotMissing) {
  run();
  add("docs/reef-survey-paper.pdf", "b.pdf");
  options_.map.clear();
  EXPECT_EQ(run().vectors.at("late-elements"), 0);
  options_.map = "heuristic";
  const IngestReport report = run();
  EXPECT_EQ(report.vectors.at("late-elements"), count("b.pdf"));
}

TEST_F(ElementVectors, OfAChangedMapAreMadeAnew) {
  run();
  const auto before = vectors("late-elements");
  change_map();
  EXPECT_TRUE(vectors("late-text-elements").empty());
  const IngestReport report = run();
  EXPECT_EQ(report.maps, 0);
  EXPECT_EQ(report.vectors.at("late-text-elements"), count());
  EXPECT_EQ(vectors("late-text-elements").at({"a.pdf", 0}),
            fake_vectors("late-text", "Another caption").values);
  EXPECT_EQ(vectors("late-elements"), before);
}

TEST_F(ElementVectors, OfAChangedDocumentAreMadeAnew) {
  run();
  add("docs/reef-survey-paper.pdf", "a.pdf");
  const IngestReport report = run();
  EXPECT_EQ(report.maps, 1);
  EXPECT_EQ(report.vectors.at("late-elements"), count());
  EXPECT_EQ(vectors("late-text-elements").at({"a.pdf", 0}),
            fake_vectors("late-text", docmap::element_text(elements()[0])).values);
}

TEST_F(ElementVectors, GoOnAfterAFailureOfTheModel) {
  embed_pages_first();
  counts_.fail_after = counts_.texts + counts_.pages + 1;
  failure(ErrorCode::model);
  EXPECT_EQ(vectors("late-elements").size(), 1U);
  counts_.fail_after = 1'000'000;
  EXPECT_EQ(run().vectors.at("late-elements"), count() - 1);
}

TEST_F(ElementVectors, AreKeptWhenInterrupted) {
  embed_pages_first();
  counts_.interrupt_after = counts_.pages + 1;
  failure(ErrorCode::interrupted);
  set_interrupted(false);
  EXPECT_EQ(vectors("late-elements").size(), 1U);
}

TEST_F(ElementVectors, OfAFileThatIsGoneWaitForIt) {
  options_.elements = false;
  run();
  fs::rename(dir_.file("in/a.pdf"), dir_.file("away.pdf"));
  options_.elements = true;
  const IngestReport report = run();
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_NE(report.failures[0].message.find("elements lack vectors in the set \"late-elements\""),
            std::string::npos)
      << report.failures[0].message;
  EXPECT_TRUE(report.files_gone);
  EXPECT_EQ(report.vectors.at("late-text-elements"), count());  // captions are in the store
  fs::rename(dir_.file("away.pdf"), dir_.file("in/a.pdf"));
  EXPECT_EQ(run().vectors.at("late-elements"), count());
}

TEST_F(ElementVectors, StandBesideTheSetsThatAreNamed) {
  embed_pages_first();
  run();
  EXPECT_EQ(sets(), (Names{"late", "late-elements", "late-text", "text"}));
}

TEST_F(ElementVectors, AreOfTheModelOfTheirSet) {
  options_.retrievers = {"late:a", "late:b"};
  run();
  const auto first = vectors("late-elements"), second = vectors("late-2-elements");
  EXPECT_EQ(first.at({"a.pdf", 0}), fake_vectors("late:a", picture(elements()[0])).values);
  EXPECT_EQ(second.at({"a.pdf", 0}), fake_vectors("late:b", picture(elements()[0])).values);
  moved_ = {{"late:a", "nothing"}, {"late:new place", "late:a"}};
  options_.retrievers = {"late:new place"};
  add("docs/reef-survey-paper.pdf", "b.pdf");
  const IngestReport report = run();
  EXPECT_EQ(report.vectors.at("late-elements"), count("b.pdf"));
}

TEST_F(ElementVectors, AreDroppedWithTheirSetOrAlone) {
  run();
  {
    store::Store store(dir_.file("s"), store::Mode::write);
    drop_sets({"late", "text-elements"}, store);
  }
  EXPECT_EQ(sets(), (Names{"late-text", "late-text-elements", "text"}));
}

TEST_F(ElementVectors, BesideNoSetAreRefused) {
  options_.retrievers.clear();
  options_.scorers = {"bm25"};
  EXPECT_NE(failure(ErrorCode::usage).find("--scorer"), std::string::npos);
}

TEST_F(ElementVectors, WithoutAnyMapAreRefused) {
  options_.map.clear();
  EXPECT_NE(failure(ErrorCode::usage).find("--map heuristic"), std::string::npos);
  EXPECT_TRUE(names().empty());
  options_.elements = false;
  run();
  options_.elements = true;
  failure(ErrorCode::usage);
}

}  // namespace
}  // namespace fineprint::ingest::testing
