// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// One builder per family of kinds; BuildRowCases picks.
#ifndef CONFORMANCE_GEN_ROW_CASES_H_
#define CONFORMANCE_GEN_ROW_CASES_H_

#include "conformance/gen/row_context.h"

namespace npu::conformance {

// Kinds about one value: null, zero, fixed, multiple, enumeration, ids, sizes
// of result buffers.
void BuildValueCases(RowContext* context);

// RANGE, OWNERSHIP and ANY_VALUE: where memory lies.
void BuildMemoryCases(RowContext* context);

// The kinds that begin with ARRAY_ or ELEMENT_, and COUNT_AT_LEAST.
void BuildArrayCases(RowContext* context);

// PRECONDITION and PRODUCT.
void BuildStateCases(RowContext* context);

}  // namespace npu::conformance

#endif  // CONFORMANCE_GEN_ROW_CASES_H_
