// The client of chat completions servers over TLS: whose certificate it takes, and whose not.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"

#include "chat_server.h"
#include "remote/openai/openai_generator.h"
#include "support/temp_dir.h"

namespace fineprint::remote {
namespace {

using fineprint::testing::ending;
using fineprint::testing::FakeChatServer;
using fineprint::testing::piece;

constexpr long kDay = 24 * 60 * 60;

template <class T, void (*kFree)(T*)>
struct Freed {
  void operator()(T* thing) const { kFree(thing); }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY, EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Freed<X509, X509_free>>;

// A certificate that vouches for itself: for `names` ("IP:127.0.0.1"), until so long from now.
struct Identity {
  explicit Identity(const char* names, long valid_seconds = kDay)
      : key(EVP_EC_gen("P-256")), certificate(X509_new()) {
    X509* made = certificate.get();
    X509_set_version(made, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(made), 1);
    X509_gmtime_adj(X509_getm_notBefore(made), -2 * kDay);
    X509_gmtime_adj(X509_getm_notAfter(made), valid_seconds);
    X509_set_pubkey(made, key.get());
    X509_NAME* subject = X509_get_subject_name(made);
    const auto* common = reinterpret_cast<const unsigned char*>("a server of the tests");
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, common, -1, -1, 0);
    X509_set_issuer_name(made, subject);
    X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names);
    X509_add_ext(made, extension, -1);
    X509_EXTENSION_free(extension);
    if (X509_sign(made, key.get(), EVP_sha256()) == 0) ADD_FAILURE() << "no certificate was made";
  }

  void write(const std::string& path) const {
    const std::unique_ptr<BIO, Freed<BIO, BIO_free_all>> memory(BIO_new(BIO_s_mem()));
    PEM_write_bio_X509(memory.get(), certificate.get());
    char* text = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &text);
    write_file_atomic(path, {text, static_cast<std::size_t>(size)});
  }

  Key key;
  Certificate certificate;
};

// SSL_CERT_FILE as long as this lives.
class TrustedFile {
 public:
  explicit TrustedFile(const std::string& path) {
    if (const char* before = std::getenv(kName)) before_ = before;
    setenv(kName, path.c_str(), 1);
  }
  ~TrustedFile() {
    if (before_) {
      setenv(kName, before_->c_str(), 1);
    } else {
      unsetenv(kName);
    }
  }
  TrustedFile(const TrustedFile&) = delete;
  TrustedFile& operator=(const TrustedFile&) = delete;

 private:
  static constexpr const char* kName = "SSL_CERT_FILE";
  std::optional<std::string> before_;
};

class OpenAiTls : public ::testing::Test {
 protected:
  static std::unique_ptr<FakeChatServer> server_as(const Identity& identity) {
    return std::make_unique<FakeChatServer>(
        [](int, const auto&, auto& response) {
          FakeChatServer::stream(response, piece("Ten ") + piece("pages") + ending());
        },
        std::make_unique<httplib::SSLServer>(identity.certificate.get(), identity.key.get()));
  }

  models::Reply ask(const FakeChatServer& server) {
    const OpenAiGenerator generator(
        parse_address(server.spec()), {.api_key = "secret", .retries = 3},
        {[this](auto, const auto&) { return ++pauses_ > 0; },
         [] { return std::chrono::system_clock::now(); }, [] { return 0.5; }});
    models::Request request;
    request.messages.push_back({models::Role::user, "How many?", {}});
    return generator.generate(request, {});
  }

  // At once, saying what to do, and before the server is told anything.
  void expect_refused(const FakeChatServer& server) {
    try {
      ask(server);
      ADD_FAILURE() << "the certificate was taken";
    } catch (const Error& error) {
      const std::string text = error.what();
      EXPECT_EQ(error.code(), ErrorCode::model);
      EXPECT_NE(text.find("127.0.0.1"), std::string::npos) << text;
      EXPECT_NE(text.find("certificate"), std::string::npos) << text;
      EXPECT_NE(text.find("SSL_CERT_FILE"), std::string::npos) << text;
      EXPECT_EQ(text.find("secret"), std::string::npos) << text;
    }
    EXPECT_EQ(server.calls(), 0);
    EXPECT_EQ(pauses_, 0);
  }

  std::string trusted(const Identity& identity) const {
    identity.write(folder_.file("trusted.pem"));
    return folder_.file("trusted.pem");
  }

  fineprint::testing::TempDir folder_;
  int pauses_ = 0;
};

TEST_F(OpenAiTls, ATrustedServerIsAsked) {
  const Identity identity("IP:127.0.0.1");
  const TrustedFile file(trusted(identity));
  const auto server = server_as(identity);
  EXPECT_EQ(ask(*server).text, "Ten pages");
  EXPECT_EQ(server->request(0).get_header_value("Authorization"), "Bearer secret");
}

// Whoever closes a connection of TLS says so to the other side, which may be gone.
TEST_F(OpenAiTls, TimeIsUpAndTheProcessLives) {
  const Identity identity("IP:127.0.0.1");
  const TrustedFile file(trusted(identity));
  FakeChatServer server(
      [](int, const auto&, auto& response) {
        std::this_thread::sleep_for(std::chrono::milliseconds(800));
        FakeChatServer::stream(response, piece("late") + ending());
      },
      std::make_unique<httplib::SSLServer>(identity.certificate.get(), identity.key.get()));
  const auto before = std::signal(SIGPIPE, SIG_DFL);  // the server has set it otherwise
  const OpenAiGenerator generator(parse_address(server.spec()),
                                  {.call_timeout = std::chrono::milliseconds(200), .retries = 0},
                                  real_waiting());
  models::Request request;
  request.messages.push_back({models::Role::user, "How many?", {}});
  try {
    generator.generate(request, {});
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::timed_out) << error.what();
  }
  // What was blocked is not any more.
  sigset_t blocked;
  pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGPIPE), 0);
  std::signal(SIGPIPE, before);
}

TEST_F(OpenAiTls, AnUnknownCertificateIsRefused) {
  const auto server = server_as(Identity("IP:127.0.0.1"));
  expect_refused(*server);
  // Nor is one when another is trusted that looks like it.
  const TrustedFile file(trusted(Identity("IP:127.0.0.1")));
  expect_refused(*server);
}

TEST_F(OpenAiTls, ATrustedCertificateOfAnotherServerIsRefused) {
  const Identity identity("DNS:elsewhere.example,IP:127.0.0.2");
  const TrustedFile file(trusted(identity));
  expect_refused(*server_as(identity));
}

TEST_F(OpenAiTls, AnExpiredCertificateIsRefused) {
  const Identity identity("IP:127.0.0.1", -kDay);
  const TrustedFile file(trusted(identity));
  expect_refused(*server_as(identity));
}

}  // namespace
}  // namespace fineprint::remote
