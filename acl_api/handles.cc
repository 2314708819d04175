// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "acl_api/handles.h"

namespace npu::acl {

Handles& Handles::Get() {
  static Handles* const the = new Handles();
  return *the;
}

}  // namespace npu::acl
