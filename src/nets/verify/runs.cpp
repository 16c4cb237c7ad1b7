// Verifies prompts: image processing, every layer, greedy replies and single vectors.
#include <algorithm>
#include <map>

#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/image/codec.h"
#include "fineprint/serving/sampling.h"

#include "nets/multimodal.h"
#include "nets/verify/case_images.h"
#include "nets/verify/ways.h"

namespace fineprint::nets {
namespace {

using Images = std::vector<preprocess::PixelInput>;

// Collects the values that pass a tap, by name; values of several images follow each other.
class Taps {
 public:
  Tap tap() {
    return [this](const std::string& name, const at::Tensor& value) {
      values_[name].push_back(value.cpu());
    };
  }
  const std::map<std::string, std::vector<at::Tensor>>& values() const { return values_; }

 private:
  std::map<std::string, std::vector<at::Tensor>> values_;
};

// A greedy reply, with the logits before each of its tokens.
struct Reply {
  std::vector<std::int64_t> ids;
  at::Tensor logits;  // [ids, vocabulary]
};

// A prompt that was read, with the state after it.
struct ReadRun {
  models::TokenSequence tokens;
  std::unique_ptr<SequenceState> state;
  DecoderInput input;
  at::Tensor hidden;  // [T, hidden]
};

ReadRun read_run(const Multimodal& model, models::TokenSequence tokens, const Images& images,
                 const Tap& tap) {
  ReadRun run{.tokens = std::move(tokens), .state = model.new_state(), .input = {}, .hidden = {}};
  std::vector<ImageFeatures> features;
  for (const auto& image : images) features.push_back(model.image_features(image, tap));
  run.input = model.embed(run.tokens, features);
  run.hidden = model.read_prompt(run.tokens, run.input, run.state.get(), false, tap);
  return run;
}

// Decodes greedily from a prompt that was read, as the reference did: up to the first end token or
// the limit.
Reply decode(const Multimodal& model, const ReadRun& run, double penalty, std::int64_t limit) {
  serving::Sampler sampler({.repetition_penalty = penalty}, 0);
  for (const std::int64_t id : run.tokens.ids) sampler.saw(id);
  const std::unique_ptr<SequenceState> state = run.state->fork();
  at::Tensor logits = model.logits(run.hidden.narrow(0, run.hidden.size(0) - 1, 1)).cpu();
  Reply reply;
  std::vector<at::Tensor> rows;
  const auto& ends = model.spec().generation.end_tokens;
  for (std::int64_t n = 0; n < limit; ++n) {
    const at::Tensor row = logits.contiguous();
    rows.push_back(row);
    const std::int64_t id =
        sampler.next({row.const_data_ptr<float>(), static_cast<std::size_t>(row.numel())});
    reply.ids.push_back(id);
    sampler.saw(id);
    if (std::find(ends.begin(), ends.end(), id) != ends.end()) break;
    logits = model.logits(model.read_tokens({id}, run.tokens.next_position + n, state.get())).cpu();
  }
  reply.logits = at::cat(rows);
  return reply;
}

// Runs the prompts of one case on one device. A second object with another device checks held
// codes.
class RunVerifier {
 public:
  RunVerifier(CaseCheck* check, const Device& device)
      : check_(check), model_(check->spec(), device) {
    const Json& facts = check->facts();
    if (facts.contains("generation"))
      limit_ = facts.at("generation").value("max_new_tokens", limit_);
  }

  void verify(const Json& run);
  void verify_held(const Json& run);
  void verify_awkward_images();
  void verify_padded_batch(const Json& batch);
  void verify_factor_switch();
  void verify_scores();

 private:
  void compare_batch_positions(const std::string& label, std::int64_t row, const at::Tensor& real,
                               const models::TokenSequence& tokens);
  void compare_query_batch();
  Images own_images(const Json& run);
  Images fed_images(const std::string& name, const Json& run, const Images& own);
  at::Tensor logits_along(const ReadRun& run, const std::vector<std::int64_t>& reply);
  models::TokenSequence tokens_of(const Json& run, const Images& images);
  // Compares ids, positions and sizes; all must be equal.
  void compare_tokens(const std::string& name, const models::TokenSequence& tokens,
                      const Images& images);
  void compare_layers(const std::string& name, const ReadRun& run, const Taps& taps);
  void compare_tiles(const std::string& file, const preprocess::PixelInput& image);
  // Returns the tolerance of a value. It is wider if our own pixels were used, because these differ
  // too.
  double golden(const char* what) const {
    return check_->tolerance({loose_ ? "own_pixels" : "golden_pixels", what});
  }

  CaseCheck* check_;
  Multimodal model_;
  std::int64_t limit_ = 12;
  bool loose_ = false;  // our pixels were used, because the reference's are not stored
  std::map<std::string, at::Tensor> vectors_;  // by run
  std::map<std::string, Json> runs_;
};

// Processes the images of a run here, as the program does for its users.
Images RunVerifier::own_images(const Json& run) {
  Images images;
  for (const Json& file : run.at("images")) {
    images.push_back(case_image(*check_, file.get<std::string>()));
  }
  return images;
}

// Returns the reference's pixels if they are stored, so that the network is compared separately
// from image processing.
Images RunVerifier::fed_images(const std::string& name, const Json& run, const Images& own) {
  loose_ = false;
  if (own.empty()) return own;
  const std::string pixels = name + ".pixel_values";
  if (check_->has(pixels)) return with_pixels(own, check_->expected(pixels));
  Images fed = own;
  const Json& padded = check_->facts().value("hd_images", Json::object());
  for (std::size_t i = 0; i < fed.size(); ++i) {
    const std::string file = run.at("images").at(i).get<std::string>();
    const std::string page = file.substr(file.rfind('/') + 1);
    if (!padded.contains(page)) {
      loose_ = true;
      continue;
    }
    compare_tiles(page, fed[i]);
  }
  return fed;
}

// Compares the tiles with the reference's padded image, which is stored without loss.
void RunVerifier::compare_tiles(const std::string& file, const preprocess::PixelInput& image) {
  const std::string stem = "pre." + file.substr(0, file.rfind('.'));
  const at::Tensor views = pixel_tensor({image});  // [1 + tiles, 3, side, side]
  const at::Tensor tiles = views.narrow(0, 1, views.size(0) - 1);
  check_->compare(stem + ".crops", tiles, check_->tolerance({"own_pixels", "crops"}));
  check_->compare(stem + ".global_view", views[0],
                  check_->tolerance({"own_pixels", "global_view"}));
  check_->compare(
      stem + ".global_view.sample_value",
      views[0].flatten().index_select(0, check_->has(stem + ".global_view.sample_index")
                                             ? check_->expected(stem + ".global_view.sample_index")
                                             : at::zeros({0}, at::kLong)),
      check_->tolerance({"own_pixels", "global_view"}));
  check_->see(stem + ".global_view.sample_index");

  const std::string path =
      check_->dir() + "/" + check_->facts().at("hd_images").at(file).get<std::string>();
  const std::string bytes = read_file(path);
  const Image stored =
      image::decode({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}, path);
  const auto& norm = std::get<preprocess::TileProcessor>(model_.spec().processor).norm;
  const std::int64_t side = views.size(2), rows = image.grid[1], columns = image.grid[2];
  const at::Tensor ours =
      tiles.view({rows, columns, 3, side, side})
          .permute({0, 3, 1, 4, 2})
          .reshape({rows * side, columns * side, 3})
          .mul(at::tensor(std::vector<float>(norm.deviation.begin(), norm.deviation.end())))
          .add(at::tensor(std::vector<float>(norm.mean.begin(), norm.mean.end())))
          .mul(255);  // back to levels 0 to 255
  const at::Tensor reference =
      at::from_blob(const_cast<std::uint8_t*>(stored.pixels.data()),
                    {stored.height, stored.width, stored.channels}, at::kByte)
          .to(at::kFloat);
  check_->compare_with("hd." + file + " (levels)", reference, ours.round(),
                       check_->tolerance({"hd_png_levels"}));
}

// Tokenises a run's prompt. Runs of kind "embed" end with the model's suffix, whose last token
// gives the vector.
models::TokenSequence RunVerifier::tokens_of(const Json& run, const Images& images) {
  models::TokenSequence tokens = model_.tokenize(run.at("prompt").get<std::string>(), images);
  if (run.value("kind", "") == "embed") {
    for (const std::int64_t id : model_.spec().prompt.embedding_suffix) {
      tokens.ids.push_back(id);
      tokens.is_image.push_back(0);
    }
    models::set_positions(model_.spec().prompt, images, model_.decoder_spec().first_position,
                          &tokens);
  }
  return tokens;
}

void RunVerifier::compare_tokens(const std::string& name, const models::TokenSequence& tokens,
                                 const Images& images) {
  check_->compare(name + ".input_ids", tokens.ids);
  std::vector<std::int64_t> positions, grids, sizes;
  for (const auto& axis : tokens.positions) {
    positions.insert(positions.end(), axis.begin(), axis.end());
  }
  for (const auto& image : images) {
    grids.insert(grids.end(), image.grid.begin(), image.grid.end());
    sizes.insert(sizes.end(), {image.height, image.width});
  }
  check_->compare(name + ".position_ids", positions);
  check_->compare(name + ".rope_delta",
                  std::vector<std::int64_t>{tokens.next_position -
                                            static_cast<std::int64_t>(tokens.ids.size())});
  check_->compare(name + ".image_grid_thw", grids);
  check_->compare(name + ".image_sizes", sizes);
}

// Compares every value that passed the taps. The report then shows the first layer that is off,
// which says more than a wrong reply.
void RunVerifier::compare_layers(const std::string& name, const ReadRun& run, const Taps& taps) {
  for (const auto& [value, parts] : taps.values()) {
    const bool vision = value.starts_with("vision.");
    check_->compare(name + "." + value, at::cat(parts), golden(vision ? "vision" : "hidden"));
  }
  if (taps.values().contains("vision.patches")) {
    const auto& patches = taps.values().at("vision.patches");
    check_->compare(name + ".clip_features", at::cat(patches), golden("clip_features"));
    check_->compare(name + ".image_embeds", at::cat(taps.values().at("vision.features")),
                    golden("image_embeds"));
  }
  check_->compare(name + ".inputs_embeds", run.input.embeddings, golden("hidden"));
  const std::int64_t total = run.hidden.size(0);
  if (check_->has(name + ".logits_last4")) {
    check_->compare(name + ".logits_last4", model_.logits(run.hidden.narrow(0, total - 4, 4)),
                    golden("logits"));
  }
  if (check_->has(name + ".logits_argmax")) {
    check_->compare_choices(name + ".logits_argmax", model_.logits(run.hidden), golden("logits"));
  }
}

// Checks one run: pixels, tokens, layers, the vector, and replies with and without a repetition
// penalty.
void RunVerifier::verify(const Json& run) {
  const std::string name = run.at("name");
  runs_[name] = run;
  const Images own = own_images(run);
  if (!own.empty()) {
    const at::Tensor pixels = pixel_tensor(own);
    const double tolerance = check_->tolerance({"own_pixels", "pixel_values"});
    check_->compare(name + ".pixel_values", pixels, tolerance);
    check_->compare(name + ".pixel_values_pil", pixels, tolerance);
  }
  const Images fed = fed_images(name, run, own);
  const models::TokenSequence tokens = tokens_of(run, fed);
  compare_tokens(name, tokens, fed);
  Taps taps;
  const ReadRun read = read_run(model_, tokens, fed, taps.tap());
  compare_layers(name, read, taps);
  const at::Tensor vector =
      model_.vectors(read.hidden.narrow(0, read.hidden.size(0) - 1, 1))[0].cpu();
  vectors_[name] = vector;
  check_->compare(name + ".embedding", vector, golden("embedding"));
  if (check_->has(name + ".gen.ids")) {
    const Reply reply = decode(model_, read, 1, limit_);
    check_->compare_generated(name + ".gen", reply.ids, reply.logits, golden("logits"));
  }
  if (check_->has(name + ".gen_rep1.3.ids")) {
    const Reply reply = decode(model_, read, 1.3, limit_);
    check_->compare_generated(name + ".gen_rep1.3", reply.ids, reply.logits, golden("logits"));
  }
}

// Returns the logits of each token of a reply, given the tokens before it: [ids, vocabulary].
at::Tensor RunVerifier::logits_along(const ReadRun& run, const std::vector<std::int64_t>& reply) {
  const std::unique_ptr<SequenceState> state = run.state->fork();
  std::vector<at::Tensor> rows{
      model_.logits(run.hidden.narrow(0, run.hidden.size(0) - 1, 1)).cpu()};
  for (std::size_t n = 0; n + 1 < reply.size(); ++n) {
    const std::int64_t position = run.tokens.next_position + static_cast<std::int64_t>(n);
    rows.push_back(model_.logits(model_.read_tokens({reply[n]}, position, state.get())).cpu());
  }
  return at::cat(rows);
}

// Checks the program's own products of codes, both of many tokens and of one at a time, because
// these are different kernels. Follows the reference's reply, because rounding may lead to another
// token.
void RunVerifier::verify_held(const Json& run) {
  const std::string name = run.at("name");
  const double tolerance = check_->tolerance({"held"});
  const Images fed = fed_images(name, run, own_images(run));
  const ReadRun read = read_run(model_, tokens_of(run, fed), fed, {});
  check_->compare_held(name + ".hidden.final_norm", read.hidden, tolerance);
  const at::Tensor last = read.hidden.narrow(0, read.hidden.size(0) - 1, 1);
  check_->compare_held(name + ".embedding", model_.vectors(last)[0].cpu(), tolerance);
  if (check_->has(name + ".gen.logits")) {
    check_->compare_held(name + ".gen.logits",
                         logits_along(read, check_->integers(name + ".gen.ids")), tolerance);
  }
}

// Checks image processing alone, for images with unusual sizes.
void RunVerifier::verify_awkward_images() {
  const Json& facts = check_->facts();
  if (!facts.contains("preprocess_only")) return;
  for (const Json& entry : facts.at("preprocess_only")) {
    const std::string prefix = entry.at("tensor_prefix");
    const Images images = {case_image(*check_, entry.at("image"))};
    const double tolerance = check_->tolerance({"own_pixels", "pixel_values"});
    check_->compare(prefix + ".pixel_values", pixel_tensor(images), tolerance);
    check_->compare(prefix + ".pixel_values_pil", pixel_tensor(images), tolerance);
    check_->compare(prefix + ".image_grid_thw",
                    std::vector<std::int64_t>(images[0].grid.begin(), images[0].grid.end()));
  }
}

// Checks each row of the padded batch alone: padding must not change a reply.
void RunVerifier::verify_padded_batch(const Json& batch) {
  if (!check_->has("batch.input_ids")) return;
  const at::Tensor mask = check_->expected("batch.attention_mask");  // [n, T]
  std::vector<std::int64_t> lengths;
  std::int64_t row = 0;
  for (const Json& name : batch.at("runs")) {
    const Json& run = runs_.at(name.get<std::string>());
    const Images images = fed_images(name, run, own_images(run));
    const models::TokenSequence tokens = tokens_of(run, images);
    lengths.push_back(static_cast<std::int64_t>(tokens.ids.size()));
    const at::Tensor real = mask[row].nonzero().flatten();
    const std::string label = format("batch row {}", row);
    compare_batch_positions(label, row, real, tokens);
    check_->compare_with(label + " input_ids",
                         check_->expected("batch.input_ids")[row].index_select(0, real),
                         at::tensor(tokens.ids, at::kLong), 0);
    const ReadRun read = read_run(model_, tokens, images, {});
    const Reply reply = decode(model_, read, 1, limit_);
    const auto count = static_cast<std::int64_t>(reply.ids.size());
    check_->compare_with(label + " gen.ids",
                         check_->expected("batch.gen.ids")[row].narrow(0, 0, count),
                         at::tensor(reply.ids, at::kLong), 0);
    check_->compare_with(label + " gen.logits",
                         check_->expected("batch.gen.logits")[row].narrow(0, 0, count),
                         reply.logits, golden("logits"));
    ++row;
  }
  for (const char* part : {"input_ids", "position_ids", "gen.ids", "gen.logits"}) {
    check_->see(std::string("batch.") + part);
  }
  check_->compare_mask("batch.attention_mask", lengths);
}

// Compares the positions of the real tokens. `real` holds their indices in the padded row.
void RunVerifier::compare_batch_positions(const std::string& label, std::int64_t row,
                                          const at::Tensor& real,
                                          const models::TokenSequence& tokens) {
  if (!check_->has("batch.position_ids")) return;
  std::vector<at::Tensor> axes;
  for (const auto& axis : tokens.positions) axes.push_back(at::tensor(axis, at::kLong));
  check_->compare_with(label + " position_ids",
                       check_->expected("batch.position_ids").select(1, row).index_select(1, real),
                       at::stack(axes), 0);  // [3, T]
}

// Checks a prompt of ids alone that ends shortly before the switch to long factors.
void RunVerifier::verify_factor_switch() {
  if (!check_->has("switch.input_ids")) return;
  loose_ = false;
  models::TokenSequence tokens;
  tokens.ids = check_->integers("switch.input_ids");
  check_->see("switch.input_ids");
  tokens.is_image.assign(tokens.ids.size(), 0);
  models::set_positions(model_.spec().prompt, {}, model_.decoder_spec().first_position, &tokens);
  const ReadRun read = read_run(model_, tokens, {}, {});
  const Reply reply = decode(model_, read, 1, limit_);
  check_->compare_generated("switch.gen", reply.ids, reply.logits, golden("logits"));
  check_->leave_out("switch.gen_full_recompute.ids", "the reference generates with its cache");
}

// Checks that vectors of queries padded together equal those of each alone, and their products with
// the pages' vectors.
void RunVerifier::verify_scores() {
  loose_ = false;
  std::vector<at::Tensor> queries, docs;
  for (const auto& [name, run] : runs_) {
    if (run.value("kind", "") != "embed") continue;
    (run.at("images").empty() ? queries : docs).push_back(vectors_.at(name));
  }
  if (queries.empty()) return;
  check_->compare("query_batch.embedding", at::stack(queries), golden("embedding"));
  compare_query_batch();
  if (!docs.empty()) {
    check_->compare("scores_query_x_doc", at::matmul(at::stack(queries), at::stack(docs).t()),
                    2 * golden("embedding"));  // both factors have an error
  }
}

// Compares ids and mask of the queries that were padded together.
void RunVerifier::compare_query_batch() {
  if (!check_->has("query_batch.input_ids")) return;
  const at::Tensor padded = check_->expected("query_batch.input_ids");  // [n, T]
  const at::Tensor mask = check_->expected("query_batch.attention_mask");
  std::vector<std::int64_t> lengths;
  for (const auto& [name, run] : runs_) {
    if (run.value("kind", "") != "embed" || !run.at("images").empty()) continue;
    const std::vector<std::int64_t> ids = tokens_of(run, {}).ids;
    const auto row = static_cast<std::int64_t>(lengths.size());
    lengths.push_back(static_cast<std::int64_t>(ids.size()));
    check_->compare_with(format("query_batch row {} input_ids", row),
                         padded[row].index_select(0, mask[row].nonzero().flatten()),
                         at::tensor(ids, at::kLong), 0);
  }
  check_->see("query_batch.input_ids");
  check_->compare_mask("query_batch.attention_mask", lengths);
}

}  // namespace

// The verifier keeps vectors and runs by name, because batches and scores refer to earlier runs.
void verify_runs(CaseCheck* check) {
  const Running running(check->device());
  const Json& runs = check->facts().at("runs");
  {
    RunVerifier verifier(check, check->device());
    for (const Json& run : runs) verifier.verify(run);
    verifier.verify_awkward_images();
    if (check->facts().contains("batch")) verifier.verify_padded_batch(check->facts().at("batch"));
    verifier.verify_factor_switch();
    verifier.verify_scores();
  }
  // After the exact model is freed: memory need not hold both.
  if (!check->held()) return;
  RunVerifier held(check, *check->held());
  for (const Json& run : runs) held.verify_held(run);
}

}  // namespace fineprint::nets
