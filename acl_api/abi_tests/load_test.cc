// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// The library as a plug-in: loaded by path, twice, closed, loaded again.

#include <dlfcn.h>

#include <string>
#include <thread>

#include "acl/acl.h"
#include "gtest/gtest.h"

namespace {

constexpr char kLibrary[] = "acl_api/libacl_rt.so";
constexpr char kSecondName[] = "acl_api/libascendcl.so";

// A library and some of its functions.
class Library {
 public:
  explicit Library(const char* path)
      : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) ADD_FAILURE() << dlerror();
  }
  ~Library() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  template <typename Function>
  Function* Find(const char* name) const {
    void* const found = dlsym(handle_, name);
    EXPECT_NE(found, nullptr) << name;
    return reinterpret_cast<Function*>(found);
  }
  void* handle() const { return handle_; }

 private:
  void* const handle_;
};

#define FIND(library, name) (library).Find<decltype(name)>(#name)

void UseManagedMemory(const Library& library) {
  void* ptr = nullptr;
  ASSERT_EQ(FIND(library, aclrtSetDevice)(0), ACL_SUCCESS);
  ASSERT_EQ(FIND(library, aclrtMemAllocManaged)(&ptr, 1, 1), ACL_SUCCESS);
  *static_cast<int*>(ptr) = 7;
  EXPECT_EQ(*static_cast<int*>(ptr), 7);
}

TEST(Load, IsUsableAfterBeingClosedInUse) {
  {
    const Library library(kLibrary);
    ASSERT_EQ(FIND(library, aclInit)(nullptr), ACL_SUCCESS);
    UseManagedMemory(library);
  }
  // It cannot be unloaded, so that its threads keep their code.
  const Library again(kLibrary);
  EXPECT_EQ(FIND(again, aclInit)(nullptr), ACL_ERROR_REPEAT_INITIALIZE);
  UseManagedMemory(again);
  EXPECT_EQ(FIND(again, aclFinalize)(), ACL_SUCCESS);
}

TEST(Load, TwiceIsTheSameLibrary) {
  const Library first(kLibrary);
  const Library second(kLibrary);
  EXPECT_EQ(first.handle(), second.handle());
}

TEST(Load, TheSecondNameCarriesTheSameSoname) {
  const Library first(kLibrary);
  const Library second(kSecondName);
  // The loader knows by the SONAME that it has this library already.
  EXPECT_NE(second.handle(), nullptr);
  ASSERT_EQ(FIND(second, aclInit)(nullptr), ACL_SUCCESS);
  UseManagedMemory(second);
  EXPECT_EQ(FIND(second, aclFinalize)(), ACL_SUCCESS);
}

TEST(Load, ThreadsMayEndAfterUse) {
  const Library library(kLibrary);
  for (int i = 0; i < 20; ++i) {
    std::thread([&library] {
      EXPECT_EQ(FIND(library, aclrtFree)(nullptr), ACL_ERROR_INVALID_PARAM);
      EXPECT_NE(FIND(library, aclGetRecentErrMsg)(), nullptr);
    }).join();
  }
}

}  // namespace
