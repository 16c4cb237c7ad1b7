// Addresses taken apart, and the paths of their copies.
#include "fineprint/documents/address.h"

#include <cstdlib>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::documents {
namespace {

std::string refused_address(const std::string& text) {
  try {
    parse_address(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  ADD_FAILURE() << text << " is taken";
  return {};
}

TEST(Addresses, TakenApartAndWrittenAgain) {
  const Address file = parse_address("HTTPS://Host.Example:8443/a%20b/%C3%BC.pdf");
  EXPECT_EQ(file, (Address{.kind = AddressKind::web,
                           .scheme = "https",
                           .host = "host.example:8443",
                           .path = "a b/ü.pdf",
                           .is_folder = false}));
  for (const char* same :
       {"https://h/", "https://h/a/", "https://h/a%20b.pdf", "http://[::1]:80/x",
        "webdav+https://h/d/", "s3://bucket/", "s3://bucket/a b/100%.pdf", "s3://Bucket.Name/x"}) {
    EXPECT_EQ(address_text(parse_address(same)), same);
  }
  EXPECT_TRUE(parse_address("https://h").is_folder);
  EXPECT_EQ(address_text(parse_address("https://h/a(1).pdf")), "https://h/a%281%29.pdf");
}

TEST(Addresses, PathsAreNoAddresses) {
  for (const char* path : {"", "docs", "/docs/a.pdf", "./a:b", "://x", "a b://c", "C:/docs"}) {
    EXPECT_FALSE(is_address(path)) << path;
  }
  for (const char* address : {"s3://b", "ftp://h/x", "webdav+https://h"}) {
    EXPECT_TRUE(is_address(address)) << address;
  }
}

TEST(Addresses, RefusalsDoNotRepeatSecrets) {
  for (const char* text :
       {"https://me:hunter2@h/x", "https://hunter2@h/x?hunter2", "s3://b/x?hunter2",
        "https://h/x#hunter2", "ftp://me:hunter2@h/?hunter2"}) {
    EXPECT_EQ(refused_address(text).find("hunter2"), std::string::npos) << refused_address(text);
  }
  for (const char* text :
       {"https://", "https:///x", "https://h h/x", "https://../x", "https://h//x", "https://h/.",
        "https://h/a%2fb", "https://h/%0a", "https://h/%f", "s3://b//x"}) {
    EXPECT_FALSE(refused_address(text).empty()) << text;
  }
}

TEST(Addresses, NamesThatCannotBeFiles) {
  EXPECT_EQ(name_problem("a b.pdf"), "");
  EXPECT_EQ(name_problem(std::string(255, 'x')), "");
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("a/b"),
        std::string("a\0b", 3), std::string("a\nb"), std::string("\x7f"), std::string("\xff"),
        std::string(256, 'x')}) {
    EXPECT_NE(name_problem(name), "") << name;
  }
  EXPECT_EQ(path_problem("a/b/c.pdf"), "");
  for (const char* path : {"/a", "a/", "a//b", "a/../b"}) EXPECT_NE(path_problem(path), "") << path;
  std::string deep = "a";
  while (deep.size() <= 2000) deep += "/a";
  EXPECT_NE(path_problem(deep), "");
}

TEST(Addresses, Loopback) {
  for (const char* host :
       {"localhost", "localhost:80", "127.0.0.1", "127.9.9.9:1", "[::1]", "[::1]:8"}) {
    EXPECT_TRUE(is_loopback_host(host)) << host;
  }
  for (const char* host :
       {"127.example", "127.0.0.1.example", "localhost.example", "h", "[::2]", "10.0.0.1"}) {
    EXPECT_FALSE(is_loopback_host(host)) << host;
  }
}

TEST(Addresses, CopiesAreNamedByTheirAddresses) {
  setenv("XDG_CACHE_HOME", "/nowhere/cache", 1);
  const std::string root = "/nowhere/cache/fineprint/fetched/";
  EXPECT_EQ(copies_folder() + "/", root);
  const Address web = parse_address("https://h:8443/docs/");
  EXPECT_EQ(host_folder(web, ""), root + "https/h:8443");
  EXPECT_EQ(address_of_copy(root + "https/h:8443/docs/a b.pdf"), "https://h:8443/docs/a%20b.pdf");
  const Address bucket = parse_address("s3://reports/2024/");
  EXPECT_EQ(host_folder(bucket, "minio:9000"), root + "s3/reports@minio:9000");
  EXPECT_EQ(address_of_copy(root + "s3/reports@minio:9000/2024/a b.pdf"),
            "s3://reports/2024/a b.pdf");
  for (const char* path : {"/docs/a.pdf", "/nowhere/cache/fineprint/fetched", "relative"}) {
    EXPECT_EQ(address_of_copy(path), "") << path;
    EXPECT_EQ(shown_path(path), path);
  }
  EXPECT_EQ(address_of_copy(root + "other/h/a.pdf"), "");
  EXPECT_EQ(shown_message(root + "https/h/a.pdf: broken (" + root + "https/h/a.pdf)",
                          root + "https/h/a.pdf"),
            "https://h/a.pdf: broken (https://h/a.pdf)");
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace fineprint::documents
