// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

// Rules as the generated sources carry them.
#ifndef CONFORMANCE_HARNESS_RULE_H_
#define CONFORMANCE_HARNESS_RULE_H_

#include <vector>

namespace npu::conformance {

// The coarse answer, for libraries whose exact codes are not ours.
enum class ErrorClass {
  kNone,
  kArgument,
  kContext,
  kUnsupported,
  kResource,
  kPermission,
};

// Where a rule comes from: the API page, the upstream runtime's code, or us.
enum class Mark { kDocumented, kUpstreamCode, kOurs };

// One row of conformance/spec. Text fields are literals of generated code.
struct Rule {
  const char* function;   // "aclrtMemManagedAdvise"
  const char* id;         // "advise.size.multiple"
  const char* parameter;  // "size"; "" for the call as a whole
  const char* kind;       // "MULTIPLE_OF"
  int order;              // place in the function's sequence of checks
  int code;               // what a violation answers; 0: nothing violates it
  ErrorClass error_class;
  Mark mark;
  const char* source;  // "11-05, parameters, size"
  const char* text;
};

// The class of a code that a library answered; kNone for 0 and for a code
// that no class has.
ErrorClass ErrorClassOf(int code);

// "ARGUMENT", "NONE" ...
const char* NameOf(ErrorClass error_class);

// "documented", "upstream code", "ours".
const char* NameOf(Mark mark);

// All rules of the generated sources in this program. Filled before main();
// read-only from then on, so any thread may read.
class RuleBook {
 public:
  // Adds a rule; called by the generated sources' initialisers.
  static void Add(const Rule& rule);

  // In the order of the sources.
  static const std::vector<Rule>& All();

  // The rule of kind PRODUCT of a function; null if there is none. O(rules).
  static const Rule* ProductRule(const char* function);
};

// Puts a file's rules into the book: `const RulesOfFile kIn({kA, kB});`.
struct RulesOfFile {
  explicit RulesOfFile(const std::vector<Rule>& rules);
};

}  // namespace npu::conformance

#endif  // CONFORMANCE_HARNESS_RULE_H_
