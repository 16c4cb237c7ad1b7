// The prefixes that descriptions of published encoders give.
#include "models/known_prefixes.h"

#include <algorithm>
#include <string_view>

#include "fineprint/core/letter_case.h"

namespace fineprint::models {
namespace {

struct KnownPrefix {
  std::string_view beginning;  // beginning of the name, in lower case
  std::string_view part;       // another part of the name; may be empty
  std::string_view query, passage;
};

constexpr std::string_view kSearching = "Represent this sentence for searching relevant passages: ";

// The first match counts, so special names come before general ones.
// Sources: the models' descriptions; Wang et al., "Text Embeddings by Weakly-Supervised Contrastive
// Pre-training" (2022), section 3; Xiao et al., "C-Pack" (2023), section 3.3; Nussbaum et al.,
// "Nomic Embed" (2024), section 4.3; Vera et al., "EmbeddingGemma" (2025), section 2.2.
constexpr KnownPrefix kKnownPrefixes[] = {
    {"multilingual-e5-", "-instruct",
     "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
     "Query: ",
     ""},
    {"multilingual-e5-", "", "query: ", "passage: "},
    {"e5-small", "", "query: ", "passage: "},
    {"e5-base", "", "query: ", "passage: "},
    {"e5-large", "", "query: ", "passage: "},
    {"bge-", "-zh", "为这个句子生成表示以用于检索相关文章：", ""},
    {"bge-", "-en", kSearching, ""},
    {"mxbai-embed-", "", kSearching, ""},
    {"snowflake-arctic-embed-", "-v2", "query: ", ""},
    {"snowflake-arctic-embed-", "", kSearching, ""},
    {"nomic-embed-text-", "", "search_query: ", "search_document: "},
    {"modernbert-embed-", "", "search_query: ", "search_document: "},
    {"embeddinggemma-", "", "task: search result | query: ", "title: none | text: "},
    {"qwen3-embedding-", "",
     "Instruct: Given a web search query, retrieve relevant passages that answer the query\n"
     "Query:",
     ""},
    // Page encoders, whose questions were trained with these words; the apostrophe is typographic.
    // Sources: the code and data of Tanaka et al., "VDocRAG" (2025); Ma et al., "DSE" (2024).
    {"vdocretriever", "",
     "Instruct: I\u2019m looking for an image that answers the question.\n"
     "Query: ",
     ""},
    {"dse-phi3", "", "query: ", ""},
};

}  // namespace

std::optional<TextPrefixes> known_prefixes(const std::string& name) {
  const std::string last = lower_case(std::string_view(name).substr(name.rfind('/') + 1));
  for (const KnownPrefix& known : kKnownPrefixes) {
    if (!last.starts_with(known.beginning) || last.find(known.part) == std::string::npos) continue;
    return TextPrefixes{std::string(known.query), std::string(known.passage)};
  }
  return std::nullopt;
}

TextPrefixes prefixes_by_name(const std::string& name, const GivenPrefixes& given) {
  // Ollama separates a version by ':' and leaves out the default one.
  std::string plain = name + '-';
  std::ranges::replace(plain, ':', '-');
  TextPrefixes prefixes = known_prefixes(plain).value_or(TextPrefixes{});
  const auto take = [](const std::string& text, std::string* prefix) {
    if (!text.empty()) *prefix = text == kNoPrefix ? std::string() : text;
  };
  take(given.query, &prefixes.query);
  take(given.passage, &prefixes.passage);
  return prefixes;
}

}  // namespace fineprint::models
