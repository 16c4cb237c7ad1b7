// `fineprint embed`: writes vectors of page images and texts into a safetensors file.
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"
#include "fineprint/session/load.h"
#include "fineprint/tensorfile/safetensors.h"

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/pictures.h"
#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

// The vectors of one input.
struct Embedded {
  std::string tensor;  // for example "image.0"
  std::string input;   // the file or the text
  Matrix rows;
};

struct Model {
  std::string name, hash;
};

struct Inputs {
  std::vector<std::string> image_names;
  std::vector<Image> images;
  std::vector<std::string> texts;
  models::TextRole role = models::TextRole::query;
};

// Reads everything before the model is loaded, so that a missing picture is reported at once.
Inputs read_inputs(const Settings& settings) {
  Inputs inputs;
  inputs.image_names = settings.list("image");
  inputs.texts = settings.list("text");
  if (inputs.image_names.empty() && inputs.texts.empty()) {
    throw Error(ErrorCode::usage, "nothing to embed; give --image FILE or --text TEXT");
  }
  inputs.images = read_pictures(inputs.image_names, settings);
  if (settings.text("role") == "passage") inputs.role = models::TextRole::passage;
  return inputs;
}

// Returns the vectors of the images, then of the texts. Images are embedded one at a time, so that
// Ctrl-C can end the command between them.
std::vector<Matrix> vectors_of(const models::Encoder& encoder, const Inputs& inputs) {
  std::vector<Matrix> each;
  for (const Image& image : inputs.images) {
    throw_if_interrupted();
    for (Matrix& rows : encoder.embed_images({&image, 1})) each.push_back(std::move(rows));
  }
  throw_if_interrupted();
  for (Matrix& rows : encoder.embed_texts(inputs.texts, inputs.role)) {
    each.push_back(std::move(rows));
  }
  return each;
}

std::vector<Matrix> embed_all(const Inputs& inputs, const std::string& spec,
                              const session::ModelOptions& options, Model* model) {
  // The model is freed at the end of this function, before the file is written.
  const auto encoder = session::load_encoder(spec, options);
  *model = {encoder->name(), encoder->hash()};
  return vectors_of(*encoder, inputs);
}

// Names the matrices "image.N" and "text.N", in the order of the flags.
std::vector<Embedded> with_names(std::vector<Matrix> matrices, const Inputs& inputs) {
  std::vector<Embedded> named;
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    const bool is_image = i < inputs.images.size();
    const std::size_t number = is_image ? i : i - inputs.images.size();
    named.push_back({format("{}.{}", is_image ? "image" : "text", number),
                     is_image ? inputs.image_names[number] : inputs.texts[number],
                     std::move(matrices[i])});
  }
  return named;
}

// The hash of the model is recorded, because vectors of different weights cannot be compared.
void write_vectors(const std::string& path, const std::vector<Embedded>& all, const Model& model,
                   const Settings& settings) {
  std::vector<tensorfile::TensorToWrite> tensors;
  for (const Embedded& one : all) {
    tensors.push_back(
        {one.tensor,
         tensorfile::Dtype::f32,
         {static_cast<std::int64_t>(one.rows.rows), static_cast<std::int64_t>(one.rows.cols)},
         {reinterpret_cast<const std::uint8_t*>(one.rows.values.data()),
          one.rows.values.size() * sizeof(float)}});
  }
  tensorfile::write(path, tensors,
                    {{"schema", "fineprint.embeddings/1"},
                     {"model", model.name},
                     {"model_hash", model.hash},
                     {"text_role", settings.text("role")}});
}

}  // namespace

int run_embed(const Settings& settings) {
  const std::string& out = settings.text("out");
  if (out.empty()) {
    throw Error(ErrorCode::usage, "--out FILE.safetensors is missing: the file for the vectors");
  }
  const Inputs inputs = read_inputs(settings);
  Model model;
  const std::vector<Embedded> all = with_names(
      embed_all(inputs, one_retriever(settings), encoder_options(settings), &model), inputs);
  write_vectors(out, all, model, settings);
  for (const Embedded& one : all) {
    if (settings.flag("json")) {
      print_line(dump_json({{"tensor", one.tensor},
                            {"rows", one.rows.rows},
                            {"dim", one.rows.cols},
                            {"input", one.input}}));
    } else {
      print_line(
          format("{:<10} [{}, {}]  {}", one.tensor, one.rows.rows, one.rows.cols, one.input));
    }
  }
  return 0;
}

}  // namespace fineprint::cli
