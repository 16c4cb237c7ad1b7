// The published models that the program knows by name, from configs/models.toml.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fineprint::models {

struct PublishedModel {
  std::string name;
  std::string use;         // "page generator", "text generator", "page retriever", ...
  std::string repository;  // "org/name" on huggingface.co
  std::string file;        // the file that is needed; empty: all files
  std::string family;      // the recipe's name
  std::string licence;
  std::string stored;           // of most weights: "BF16", "Q4_K", "AWQ"
  std::int64_t bytes = 0;       // of the weights, rounded
  std::int64_t parameters = 0;  // rounded
  std::int64_t kv_numbers =
      0;  // numbers that a token adds to the attention states; 0 without a decoder
  std::int64_t page_tokens = 0;  // of an A4 page; 0 for a model that takes no images
};

// Returns the models in the order of the table: for each use, the better ones first. Throws
// Error(internal) if a row lacks a field, has an unknown one, or has text where a number is needed.
std::vector<PublishedModel> published_models();

// Returns the uses in the order in which they are shown.
const std::vector<std::string>& model_uses();

// Returns the bytes of memory that the model needs on a CPU: weights, intermediate values, and one
// sequence with a page and a reply.
std::int64_t needed_memory(const PublishedModel& model);

// Returns the command that downloads the model with Hugging Face's program.
std::string download_command(const PublishedModel& model);
// Returns a command that downloads it with curl, or with git if it is more than one file.
std::string other_command(const PublishedModel& model);
// Returns the flag that selects the downloaded model: "--generator ORG/NAME", "--retriever ..." or
// "--rerank ...".
std::string usage_of(const PublishedModel& model);

}  // namespace fineprint::models
