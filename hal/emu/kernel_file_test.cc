// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/kernel_file.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "hal/base/driver_code.h"
#include "hal/base/status_matchers.h"

namespace npu::hal::emu {
namespace {

using testing::HasSubstr;

constexpr char kKernels[] = "hal/emu/testing/test_kernels.so";

class KernelFileTest : public testing::Test {
 protected:
  void SetUp() override {
    char folder[] = "/tmp/npu-kernel-XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    folder_ = folder;
    path_ = folder_ + "/kernel";
    std::ifstream file(kKernels, std::ios::binary);
    good_.assign(std::istreambuf_iterator<char>(file), {});
    ASSERT_GT(good_.size(), sizeof(Elf64_Ehdr));
  }
  void TearDown() override {
    unlink(path_.c_str());
    rmdir(folder_.c_str());
  }

  // What is said of a file with these bytes.
  std::string Verdict(const std::string& bytes) {
    std::ofstream(path_, std::ios::binary) << bytes;
    const absl::Status status = ReadKernelFile(path_).status();
    EXPECT_EQ(DriverCodeOf(status), DriverCode::kInvalidValue);
    EXPECT_THAT(std::string(status.message()), HasSubstr(path_));
    return std::string(status.message());
  }
  std::string Changed(size_t offset, char value) const {
    std::string bytes = good_;
    bytes[offset] = value;
    return bytes;
  }

  std::string folder_;
  std::string path_;
  std::string good_;
};

TEST_F(KernelFileTest, AKernelBinaryIsTakenWhateverItsName) {
  std::ofstream(path_, std::ios::binary) << good_;
  const auto file = ReadKernelFile(path_);
  ASSERT_THAT(file, IsOk());
  // The copy cannot be changed, and does not need the file.
  EXPECT_EQ(write(file->get(), "x", 1), -1);
  struct stat about;
  ASSERT_EQ(fstat(file->get(), &about), 0);
  EXPECT_EQ(static_cast<size_t>(about.st_size), good_.size());
}

TEST_F(KernelFileTest, EachDefectHasItsWords) {
  EXPECT_THAT(Verdict(""), HasSubstr("too short"));
  EXPECT_THAT(Verdict("int main() {}"), HasSubstr("too short"));
  EXPECT_THAT(Verdict(std::string(4096, 'x')), HasSubstr("no ELF file"));
  EXPECT_THAT(Verdict(Changed(EI_CLASS, ELFCLASS32)), HasSubstr("64-bit"));
  EXPECT_THAT(Verdict(Changed(offsetof(Elf64_Ehdr, e_machine), 1)),
              HasSubstr("another processor"));
  EXPECT_THAT(Verdict(Changed(offsetof(Elf64_Ehdr, e_type), ET_REL)),
              HasSubstr("no shared object"));
  EXPECT_THAT(Verdict(Changed(offsetof(Elf64_Ehdr, e_phentsize), 1)),
              HasSubstr("damaged"));
  EXPECT_THAT(Verdict(Changed(offsetof(Elf64_Ehdr, e_phoff) + 7, 0x7f)),
              HasSubstr("damaged"));
  EXPECT_THAT(Verdict(good_.substr(0, good_.size() / 4)), HasSubstr("cut off"));
}

TEST_F(KernelFileTest, WhatIsNoFileIsAnErrorAndNoHang) {
  EXPECT_THAT(ReadKernelFile(path_).status().ToString(),
              HasSubstr("No such file"));
  EXPECT_THAT(ReadKernelFile(folder_).status().ToString(),
              HasSubstr("no regular file"));
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_THAT(ReadKernelFile(path_).status().ToString(),
              HasSubstr("no regular file"));
}

}  // namespace
}  // namespace npu::hal::emu
