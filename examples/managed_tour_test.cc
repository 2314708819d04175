// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Runs the tour and reads its table: the facts are judged here a second time,
// so that a tour that stops judging is found out.

#include <array>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace {

struct Line {
  std::string value, owner, holders;
  std::vector<int> faults;  // host, device 0, device 1
};

// "dev 0" is one word here.
Line ParseLine(std::string rest) {
  for (size_t at = 0; (at = rest.find("dev ", at)) != std::string::npos;) {
    rest.replace(at, 4, "dev");
  }
  std::istringstream words(rest);
  Line line;
  words >> line.value >> line.owner >> line.holders;
  for (int faults = 0; words >> faults;) line.faults.push_back(faults);
  return line;
}

class ManagedTour : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    FILE* tour = popen("examples/managed_tour", "r");
    ASSERT_NE(tour, nullptr);
    std::array<char, 512> buffer;
    while (fgets(buffer.data(), buffer.size(), tour) != nullptr) {
      const std::string text = buffer.data();
      std::fputs(buffer.data(), stdout);
      output_ += text;
      if (text.size() > 26) steps_[Trim(text.substr(0, 26))] = text.substr(26);
    }
    status_ = pclose(tour);
  }

  static std::string Trim(const std::string& text) {
    return text.substr(0, text.find_last_not_of(' ') + 1);
  }
  static Line Step(const std::string& name) {
    const auto found = steps_.find(name);
    EXPECT_NE(found, steps_.end()) << name;
    return found == steps_.end() ? Line() : ParseLine(found->second);
  }
  static void NeedTracking() {
    if (output_.find("faults are caught: full") == std::string::npos) {
      GTEST_SKIP() << "this machine offers no userfaultfd: no rung \"full\"";
    }
  }

  static inline std::string output_;
  static inline std::map<std::string, std::string> steps_;
  static inline int status_ = -1;
};

TEST_F(ManagedTour, Succeeds) {
  EXPECT_EQ(status_, 0);
  EXPECT_NE(output_.find("tour: all steps right"), std::string::npos);
  EXPECT_EQ(output_.find("WRONG"), std::string::npos);
}

TEST_F(ManagedTour, ValuesAreRight) {
  EXPECT_EQ(Step("write on the host").value, "262144");
  EXPECT_EQ(Step("sum on device 0").value, "34359869440");
  EXPECT_EQ(Step("read on the host").value, "68719738880");
  EXPECT_EQ(Step("walk it on device 0").value, "500500");
  EXPECT_EQ(Step("walk it on device 1").value, "501500");
  EXPECT_EQ(Step("sum on device 0 again").value, "68719738880");
  EXPECT_EQ(Step("a write drops the copies").value, "68719738881");
}

TEST_F(ManagedTour, ResidencyGoesHost01Host) {
  NeedTracking();
  if (IsSkipped()) return;
  EXPECT_EQ(Step("allocate").owner, "-");
  EXPECT_EQ(Step("write on the host").owner, "host");
  EXPECT_EQ(Step("sum on device 0").owner, "dev0");
  EXPECT_EQ(Step("double on device 1").owner, "dev1");
  EXPECT_EQ(Step("read on the host").owner, "host");
}

TEST_F(ManagedTour, FirstTouchesFaultAndPrefetchesSpareThat) {
  NeedTracking();
  if (IsSkipped()) return;
  EXPECT_GT(Step("write on the host").faults.at(0), 0);
  EXPECT_GT(Step("sum on device 0").faults.at(1), 0);
  EXPECT_GT(Step("double on device 1").faults.at(2), 0);
  EXPECT_GT(Step("read on the host").faults.at(0), 0);
  const std::vector<int> none = {0, 0, 0};
  EXPECT_EQ(Step("sum on device 0 again").faults, none);
  EXPECT_EQ(Step("read on the host again").faults, none);
}

TEST_F(ManagedTour, ReadersShareUntilAWrite) {
  NeedTracking();
  if (IsSkipped()) return;
  EXPECT_EQ(Step("read mostly: sum on 1").holders, "host,0,1");
  EXPECT_EQ(Step("a write drops the copies").holders, "host");
}

}  // namespace
