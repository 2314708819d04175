// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

/* The layout checks, in C11. Compiling is the test; what is left to run is
 * that C's default promotions keep the values that arrive. */
#include "acl_api/layout_checks.h"

int main(void) {
  aclrtMemManagedLocation place = {ACL_MEM_LOCATIONTYPE_DEVICE, -1};
  unsigned char bytes[sizeof place];
  const unsigned char *from = (const unsigned char *)&place;
  for (size_t i = 0; i < sizeof place; ++i) bytes[i] = from[i];
  /* Little endian: type 1, then id -1. */
  return bytes[0] == 1 && bytes[4] == 0xFF && bytes[7] == 0xFF ? 0 : 1;
}
