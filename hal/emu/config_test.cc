// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/config.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/base/status_matchers.h"

namespace npu::hal::emu {
namespace {

using testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

TEST(ConfigTest, TheDefaultsArePossible) {
  const auto config = ParseConfig("", "empty");
  ASSERT_THAT(config, IsOk());
  EXPECT_EQ(config->product(), ATLAS_A2);
  EXPECT_EQ(config->device_count(), 2);
  EXPECT_EQ(config->max_enabled_peers(), 8);
  EXPECT_EQ(config->rung(), BEST);
  EXPECT_THAT(LoadConfig(""), IsOk());
}

TEST(ConfigTest, SyntaxErrorsNameFileLineAndField) {
  EXPECT_THAT(ParseConfig("device_count: 2\n\nno_such_field: 1\n", "a.txt"),
              StatusIs(kInvalid, testing::AllOf(HasSubstr("a.txt:3: "),
                                                HasSubstr("no_such_field"))));
  EXPECT_THAT(ParseConfig("\ndevice_count: \"two\"", "b.txt"),
              StatusIs(kInvalid, HasSubstr("b.txt:2: ")));
  EXPECT_THAT(ParseConfig("product: ATLAS_A9", "c.txt"),
              StatusIs(kInvalid, testing::AllOf(HasSubstr("c.txt:1: "),
                                                HasSubstr("ATLAS_A9"))));
}

struct Impossible {
  const char* line;
  const char* field;
};

class ImpossibleTest : public testing::TestWithParam<Impossible> {};

TEST_P(ImpossibleTest, ValuesNameFileLineAndField) {
  const std::string text =
      std::string("# a comment\nproduct: ATLAS_A2\n") + GetParam().line + "\n";
  EXPECT_THAT(ParseConfig(text, "f"),
              StatusIs(kInvalid, HasSubstr(std::string("f:3: ") +
                                           GetParam().field + ": must")));
}

INSTANTIATE_TEST_SUITE_P(
    All, ImpossibleTest,
    testing::Values(
        Impossible{"contract: \"2025-01\"", "contract"},
        Impossible{"device_count: 0", "device_count"},
        Impossible{"device_count: 65", "device_count"},
        Impossible{"device_count: -1", "device_count"},
        Impossible{"device_memory_bytes: 134217727", "device_memory_bytes"},
        Impossible{"device_memory_bytes: 1099511627777", "device_memory_bytes"},
        Impossible{"numa_nodes: 0", "numa_nodes"},
        Impossible{"numa_nodes: 64", "numa_nodes"},
        Impossible{"window_base: 4096", "window_base"},
        Impossible{"window_base: 0x800000000000", "window_base"},
        Impossible{"window_bytes: 3298534883329", "window_bytes"},
        Impossible{"window_bytes: 3298536980480", "window_bytes"},
        Impossible{"device_window_base: 1", "device_window_base"},
        Impossible{"peer_link { a: 0 b: 2 }", "peer_link"},
        Impossible{"peer_link { a: -1 b: 0 }", "peer_link"},
        Impossible{"max_enabled_peers: 64", "max_enabled_peers"}));

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/npu-config-XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    path_ = std::string(folder) + "/config";
    folder_ = folder;
  }
  void TearDown() override {
    unlink(path_.c_str());
    rmdir(folder_.c_str());
  }

  std::string folder_;
  std::string path_;
};

TEST_F(FileTest, AFileIsReadAndNamedInErrors) {
  std::ofstream(path_) << "device_count: 3\n";
  const auto config = LoadConfig(path_);
  ASSERT_THAT(config, IsOk());
  EXPECT_EQ(config->device_count(), 3);
  std::ofstream(path_) << "device_count: 300\n";
  EXPECT_THAT(LoadConfig(path_),
              StatusIs(kInvalid, HasSubstr(path_ + ":1: device_count")));
}

TEST_F(FileTest, WhatIsNoFileIsAnErrorAndNoHang) {
  constexpr auto kNotFound = absl::StatusCode::kNotFound;
  EXPECT_THAT(LoadConfig(path_), StatusIs(kNotFound, HasSubstr(path_)));
  EXPECT_THAT(LoadConfig(folder_),
              StatusIs(kNotFound, HasSubstr("regular file")));
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(LoadConfig(path_),
              StatusIs(kNotFound, HasSubstr("regular file")));
}

TEST_F(FileTest, AHugeFileIsRefused) {
  std::ofstream(path_) << "#";
  ASSERT_EQ(truncate(path_.c_str(), 2 << 20), 0);
  EXPECT_THAT(LoadConfig(path_),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("1 MiB")));
}

}  // namespace
}  // namespace npu::hal::emu
