// The published models that the program knows by name: configs/models.toml.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fineprint::cli {

struct PublishedModel {
  std::string name;
  std::string use;         // "page generator", "text generator", "page retriever", ...
  std::string repository;  // "org/name" on huggingface.co
  std::string file;        // that is needed of it; empty: all
  std::string family;      // the recipe's name
  std::string licence;
  std::string stored;            // "BF16", "Q4_K", "AWQ": most of its weights
  std::int64_t bytes = 0;        // of the weights, rounded
  std::int64_t parameters = 0;   // rounded
  std::int64_t kv_numbers = 0;   // that a token adds to a sequence; 0 without a decoder
  std::int64_t page_tokens = 0;  // of an A4 page; 0 when it does not see
};

// In the table's order: the better ones of a use first. Throws Error(internal) for a row that lacks
// a field, has one too many, or one that is no number where one is needed.
std::vector<PublishedModel> published_models();

// The uses, in the order in which they are shown.
const std::vector<std::string>& model_uses();

// Memory for its weights as they are held on a CPU, what is computed, and one sequence of a page
// and a reply.
std::int64_t needed_memory(const PublishedModel& model);

// What downloads it with Hugging Face's program.
std::string download_command(const PublishedModel& model);
// The same with curl; of more than one file, with git.
std::string other_command(const PublishedModel& model);
// How it is then named to this program: "--generator ORG/NAME", "--retriever ...", "--rerank ...".
std::string usage_of(const PublishedModel& model);

}  // namespace fineprint::cli
