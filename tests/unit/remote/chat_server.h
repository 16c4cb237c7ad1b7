// A chat completions server for tests that behaves as well or badly as a test wants.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <httplib.h>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

namespace fineprint::testing {

// One event of a stream with a piece of text, or with the end.
inline std::string piece(const std::string& text) {
  return "data: " + dump_json({{"choices", {{{"index", 0}, {"delta", {{"content", text}}}}}}}) +
         "\n\n";
}
inline std::string ending(const std::string& reason = "stop", const Json& usage = Json()) {
  return "data: " +
         dump_json({{"choices",
                     {{{"index", 0}, {"delta", Json::object()}, {"finish_reason", reason}}}}}) +
         "\n\n" +
         (usage.is_null()
              ? ""
              : "data: " + dump_json({{"choices", Json::array()}, {"usage", usage}}) + "\n\n") +
         "data: [DONE]\n\n";
}

class ChatServer {
 public:
  // `answer(number, request, response)`: number of the call, from 0.
  using Answer = std::function<void(int, const httplib::Request&, httplib::Response&)>;

  explicit ChatServer(Answer answer)
      : ChatServer(std::move(answer), std::make_unique<httplib::Server>(), "http") {}
  ChatServer(Answer answer, std::unique_ptr<httplib::SSLServer> server)
      : ChatServer(std::move(answer), std::move(server), "https") {}
  ~ChatServer() {
    server_->stop();
    thread_.join();
  }

  // Replies with these events.
  static void stream(httplib::Response& response, const std::string& events) {
    response.set_content(events, "text/event-stream");
  }

  // Replies with JSON.
  static void json(httplib::Response& response, const Json& reply) {
    response.set_content(dump_json(reply), "application/json");
  }

  std::string url() const { return format("{}://127.0.0.1:{}", scheme_, port_); }
  std::string spec() const { return format("openai:{}://127.0.0.1:{}/v1#tiny", scheme_, port_); }
  int port() const { return port_; }
  int calls() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(requests_.size());
  }
  httplib::Request request(int number) const {
    const std::lock_guard lock(mutex_);
    return requests_.at(static_cast<std::size_t>(number));
  }
  Json body(int number) const { return parse_json(request(number).body, "body"); }

 private:
  ChatServer(Answer answer, std::unique_ptr<httplib::Server> server, const char* scheme)
      : answer_(std::move(answer)), server_(std::move(server)), scheme_(scheme) {
    const auto handle = [this](const httplib::Request& request, httplib::Response& response) {
      int number = 0;
      {
        const std::lock_guard lock(mutex_);
        number = static_cast<int>(requests_.size());
        requests_.push_back(request);
      }
      answer_(number, request, response);
    };
    server_->Post("/.*", handle);
    server_->Get("/.*", handle);
    port_ = server_->bind_to_any_port("127.0.0.1");
    thread_ = std::thread([this] { server_->listen_after_bind(); });
    while (!server_->is_running()) std::this_thread::yield();
  }

  Answer answer_;
  std::unique_ptr<httplib::Server> server_;
  std::string scheme_;
  int port_ = 0;
  std::thread thread_;
  mutable std::mutex mutex_;
  std::vector<httplib::Request> requests_;
};

}  // namespace fineprint::testing
