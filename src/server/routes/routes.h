// Adds the routes of the server, by topic.
#pragma once

#include <vector>

#include "fineprint/server/server_options.h"
#include "fineprint/server/service.h"

#include "server/http/http.h"
#include "server/metrics.h"

namespace fineprint::server {

// What routes work with. It outlives them.
struct Served {
  Service& service;
  const ServerOptions& options;
  Metrics& metrics;
};

void add_question_routes(const Served& served, std::vector<HttpRoute>* routes);
void add_document_routes(const Served& served, std::vector<HttpRoute>* routes);
void add_dialect_routes(const Served& served, std::vector<HttpRoute>* routes);
void add_embedding_routes(const Served& served, std::vector<HttpRoute>* routes);
void add_model_routes(const Served& served, std::vector<HttpRoute>* routes);
void add_mcp_routes(const Served& served, std::vector<HttpRoute>* routes);
void add_page_routes(std::vector<HttpRoute>* routes);
void add_state_routes(const Served& served, std::vector<HttpRoute>* routes);

HttpReply json_reply(std::string body);

}  // namespace fineprint::server
