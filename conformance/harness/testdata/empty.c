// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

extern const int unrelated;
const int unrelated = 1;
