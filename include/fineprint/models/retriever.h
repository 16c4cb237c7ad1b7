// Describes which vectors an encoder gives, and how pages are shown to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fineprint/core/image.h"
#include "fineprint/models/model_spec.h"

namespace fineprint::models {

// What gets vectors, and how many.
enum class RetrieverKind {
  text,       // one vector for each text: sentence encoders
  late_text,  // one vector for each token of a text: ColBERT
  page,       // one vector for each page image: Phi-3-vision, document screenshot embedding
  late,       // many vectors for each page image: ColPali, ColQwen2
  sparse,     // a weight for every token of the vocabulary for each text: SPLADE
  // The same for each page image: V-SPLADE.
  sparse_page,
};

// Returns the kind of an encoder.
RetrieverKind retriever_kind(const ModelSpec& spec);
// Returns "text", "late-text", "page", "late" or "sparse", the names of scorers and vector sets.
// Both sparse kinds have one name, because one scorer searches both.
std::string_view kind_name(RetrieverKind kind);
// Returns true if the encoder takes page images.
bool sees_pages(RetrieverKind kind);
// Returns true if each text or page gets several rows: vectors, or the tokens of a sparse one.
bool gives_many_vectors(RetrieverKind kind);

// Returns the length of the model's vectors; of a sparse encoder, the size of its vocabulary.
std::size_t vector_width(const ModelSpec& spec);

// Returns what a store records of its page vectors, for example "144 dpi" or "144 dpi, 1344x1344".
std::string to_string(const PageRaster& raster);

// Returns the dots per inch for rasterising a page of this size, in points: raster.dpi, or less if
// the page would have more than 2^24 pixels (A1 has 16 million at 144 dpi). The limit makes sure
// that the pictures of a few pages always fit in memory. A page of unknown size gets raster.dpi.
double dpi_for(const PageRaster& raster, double width_pt, double height_pt);

// Returns the picture for the model's image processor of a page that was rasterised in this way.
Image shown_to(const PageRaster& raster, Image page);

}  // namespace fineprint::models
