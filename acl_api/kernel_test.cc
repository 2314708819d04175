// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/kernel.h"

#include <memory>
#include <string>
#include <vector>

#include "acl_api/error_code.h"
#include "acl_api/handles.h"
#include "gtest/gtest.h"

namespace npu::acl {
namespace {

// Knows one function and counts what is unloaded.
class OneFunctionLauncher final : public hal::KernelLauncher {
 public:
  std::vector<hal::BinaryId> unloaded;

 private:
  absl::StatusOr<hal::BinaryId> DoLoad(const std::string&) override {
    return hal::BinaryId(1);
  }
  absl::StatusOr<hal::FunctionId> DoFind(hal::BinaryId, const std::string& name,
                                         DeviceId) override {
    if (name == "known") return hal::FunctionId(9);
    return absl::NotFoundError("not in the binary");
  }
  absl::Status DoLaunch(const hal::KernelCall&) override {
    return absl::OkStatus();
  }
  absl::Status DoUnload(hal::BinaryId binary) override {
    unloaded.push_back(binary);
    return absl::OkStatus();
  }
  void DoReleaseLane(DeviceId, hal::LaneId) override {}
};

class KernelObjects : public testing::Test {
 protected:
  std::shared_ptr<Binary> MakeBinary() {
    return std::make_shared<Binary>(launcher_, hal::BinaryId(1), DeviceId(0));
  }
  OneFunctionLauncher launcher_;
};

TEST_F(KernelObjects, AnUnknownFunctionHasItsOwnCode) {
  const auto binary = MakeBinary();
  EXPECT_TRUE(binary->Find("known", DeviceId(0)).ok());
  const absl::Status status = binary->Find("other", DeviceId(0)).status();
  EXPECT_EQ(CodeOf(status), ACL_ERROR_RT_KERNEL_LOOKUP);
  EXPECT_NE(std::string(status.message()).find("other"), std::string::npos);
}

TEST_F(KernelObjects, TheLastShareUnloads) {
  auto binary = MakeBinary();
  auto function = std::make_shared<Function>(binary, hal::FunctionId(9));
  binary.reset();
  EXPECT_TRUE(launcher_.unloaded.empty());
  auto list = std::make_shared<ArgumentList>(function);
  function.reset();
  EXPECT_TRUE(launcher_.unloaded.empty());
  list.reset();
  EXPECT_EQ(launcher_.unloaded.size(), 1u);
}

TEST_F(KernelObjects, RetiringABinaryKillsWhatHangsOnIt) {
  const auto binary = MakeBinary();
  const auto function = std::make_shared<Function>(binary, hal::FunctionId(9));
  Handles& handles = Handles::Get();
  void* const function_handle = handles.functions.Insert(function);
  binary->AddFunctionHandle(function_handle);
  void* const list_handle =
      handles.arguments.Insert(std::make_shared<ArgumentList>(function));
  function->AddListHandle(list_handle);
  binary->Retire();
  EXPECT_EQ(handles.functions.Find(function_handle), nullptr);
  EXPECT_EQ(handles.arguments.Find(list_handle), nullptr);
  handles.functions.CheckInvariants();
  handles.arguments.CheckInvariants();
}

TEST_F(KernelObjects, TheOldestListDiesForANewOne) {
  const auto function =
      std::make_shared<Function>(MakeBinary(), hal::FunctionId(9));
  auto& lists = Handles::Get().arguments;
  std::vector<void*> all;
  for (size_t i = 0; i <= Function::kMostLists; ++i) {
    all.push_back(lists.Insert(std::make_shared<ArgumentList>(function)));
    function->AddListHandle(all.back());
  }
  EXPECT_EQ(lists.Find(all[0]), nullptr);
  EXPECT_NE(lists.Find(all[1]), nullptr);
  EXPECT_NE(lists.Find(all.back()), nullptr);
  function->Retire();
  EXPECT_EQ(lists.Find(all.back()), nullptr);
}

TEST_F(KernelObjects, AListTakesSixteenAndIsThenClosed) {
  ArgumentList list(
      std::make_shared<Function>(MakeBinary(), hal::FunctionId(9)));
  EXPECT_EQ(CodeOf(list.Take().status()), 107000);
  for (int i = 0; i < 16; ++i) {
    const auto position = list.Append(uint64_t{100} + static_cast<uint64_t>(i));
    list.CheckInvariants();
    ASSERT_TRUE(position.ok());
    EXPECT_EQ(*position, i);
  }
  EXPECT_EQ(CodeOf(list.Append(1).status()), 107000);
  list.CheckInvariants();
  EXPECT_TRUE(list.Finalize().ok());
  EXPECT_EQ(CodeOf(list.Finalize()), 107000);
  EXPECT_EQ(CodeOf(list.Append(1).status()), 107000);
  const auto words = list.Take();
  ASSERT_TRUE(words.ok());
  EXPECT_EQ(words->count, 16);
  EXPECT_EQ(words->words[15], 115u);
}

}  // namespace
}  // namespace npu::acl
