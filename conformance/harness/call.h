// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// A call of one of the judged functions, as data.
#ifndef CONFORMANCE_HARNESS_CALL_H_
#define CONFORMANCE_HARNESS_CALL_H_

#include <cstddef>
#include <string>
#include <vector>

#include "conformance/harness/world.h"

namespace npu::conformance {

// Bytes that the function may write.
struct Output {
  void* address;
  size_t bytes;
};

// Arguments are public fields with the names of the signature, so that a case
// can break one of them. MakeValid() fills them; a call whose arguments are
// left alone is legal. Calls hold pointers into themselves: no copies.
class Call {
 public:
  Call() = default;
  virtual ~Call() = default;
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  virtual const char* function() const = 0;
  // Takes what it needs from the world; the world releases it.
  virtual void MakeValid(World& world) = 0;
  virtual aclError Invoke(const Api& api) = 0;
  // Where a refused call must write nothing.
  virtual std::vector<Output> Outputs() = 0;
  // After Invoke() succeeded: what is wrong with the results, or "".
  virtual std::string CheckResults(World& world) = 0;
  // Waits for what the call started; what that answers. 0 if it starts nothing.
  virtual aclError Settle(const Api& api) = 0;
};

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_CALL_H_
