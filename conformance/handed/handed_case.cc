// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "conformance/handed/handed_case.h"

#include <algorithm>
#include <cstring>
#include <ostream>

#include "conformance/harness/own_library.h"
#include "conformance/harness/settings.h"

namespace npu::conformance {
namespace {

constexpr int32_t kUntouched = 0x5A5A5A5A;

bool SameResidency(const npuEmuResidency& a, const npuEmuResidency& b) {
  return std::memcmp(&a, &b, sizeof(a)) == 0;
}

}  // namespace

bool operator==(const RangeState& a, const RangeState& b) {
  return a.attributes == b.attributes &&
         std::equal(a.granules.begin(), a.granules.end(), b.granules.begin(),
                    b.granules.end(), SameResidency);
}

std::ostream& operator<<(std::ostream& out, const RangeState& state) {
  out << "attributes";
  for (int32_t value : state.attributes) out << " " << value;
  out << ", owners";
  for (const npuEmuResidency& granule : state.granules) {
    out << " " << granule.owner;
  }
  return out;
}

void HandedCase::SetUpTestSuite() {
  UseProduct("ATLAS_A2");
  // The library is loaded once, whatever suites the program has.
  static const absl::Status loaded = World::Get().Load();
  ASSERT_TRUE(loaded.ok()) << loaded;
}

void HandedCase::TearDownTestSuite() { world().Finish(); }

void HandedCase::SetUp() { world().Start(); }

void HandedCase::TearDown() { world().Clean(); }

void HandedCase::UseProduct(const std::string& product) {
  world().Finish();
  Settings settings;
  const absl::StatusOr<std::string> library = OwnLibrary();
  ASSERT_TRUE(library.ok()) << library.status();
  settings.library = *library;
  settings.product = product;
  SetSettings(settings);
}

aclError HandedCase::Advise(const void* ptr, uint64_t size, int32_t advise,
                            aclrtMemManagedLocation location) {
  return api().aclrtMemManagedAdvise(
      ptr, size, aclrtMemManagedAdviseType(advise), location);
}

aclError HandedCase::Prefetch(const void* ptr, uint64_t size,
                              aclrtMemManagedLocation location,
                              aclrtStream stream) {
  return api().aclrtMemManagedPrefetchAsync(ptr, size, location, 0, stream);
}

aclError HandedCase::Sync(aclrtStream stream) {
  return api().aclrtSynchronizeStream(stream);
}

int32_t HandedCase::Attribute(int32_t attribute, const void* ptr,
                              uint64_t size) {
  int32_t value = kUntouched;
  EXPECT_EQ(
      api().aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute(attribute),
                                   ptr, size, &value, sizeof(value)),
      ACL_SUCCESS);
  EXPECT_NE(value, kUntouched);
  return value;
}

aclError HandedCase::Query(int32_t attribute, const void* ptr, uint64_t size) {
  int32_t value = kUntouched;
  const aclError code =
      api().aclrtMemManagedGetAttr(aclrtMemManagedRangeAttribute(attribute),
                                   ptr, size, &value, sizeof(value));
  EXPECT_EQ(value == kUntouched, code != ACL_SUCCESS);
  return code;
}

RangeState HandedCase::StateOf(Piece piece) {
  RangeState state;
  for (int32_t attribute : {1, 2, 4, 5, 6, 7, 8}) {
    state.attributes.push_back(
        Attribute(attribute, piece.address, piece.bytes));
  }
  int32_t accessors[3] = {};
  EXPECT_EQ(api().aclrtMemManagedGetAttr(ACL_MEM_RANGE_ATTRIBUTE_ACCESSED_BY,
                                         piece.address, piece.bytes, accessors,
                                         sizeof(accessors)),
            ACL_SUCCESS);
  state.attributes.insert(state.attributes.end(), std::begin(accessors),
                          std::end(accessors));
  for (uint64_t offset = 0; offset < piece.bytes; offset += kGranule) {
    state.granules.push_back(
        Residency(At(piece.address, static_cast<int64_t>(offset))));
  }
  return state;
}

npuEmuResidency HandedCase::Residency(const void* ptr) {
  npuEmuResidency residency = {};
  EXPECT_EQ(api().npuEmuGetResidency(ptr, &residency), ACL_SUCCESS);
  return residency;
}

aclrtPtrAttributes HandedCase::PointerOf(const void* ptr) {
  aclrtPtrAttributes attributes;
  std::memset(&attributes, 0xA5, sizeof(attributes));
  EXPECT_EQ(api().aclrtPointerGetAttributes(ptr, &attributes), ACL_SUCCESS);
  for (uint32_t reserved : attributes.rsv) EXPECT_EQ(reserved, 0u);
  return attributes;
}

void HandedCase::ExpectNextCallWorks() {
  const Piece piece = world().Managed(1);
  EXPECT_EQ(Prefetch(piece.address, kGranule, DeviceLocation(1), nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(Sync(nullptr), ACL_SUCCESS);
  EXPECT_EQ(Attribute(ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION,
                      piece.address, kGranule),
            1);
}

}  // namespace npu::conformance
