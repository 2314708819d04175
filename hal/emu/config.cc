// SPDX-FileCopyrightText: The ascend-uvm Authors
// SPDX-License-Identifier: Apache-2.0

#include "hal/emu/config.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <functional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/io/tokenizer.h"
#include "google/protobuf/text_format.h"
#include "hal/base/byte_size.h"
#include "hal/base/node.h"
#include "hal/base/status_macros.h"

namespace npu::hal::emu {
namespace {

constexpr off_t kMaxFileBytes = 1 << 20;
constexpr uint64_t kMaxAddress = uint64_t{1} << 47;

// Keeps the first error of a parse.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int, const std::string& message) override {
    if (!text_.empty()) return;
    line_ = line + 1;
    text_ = message;
  }

  int line() const { return line_; }
  const std::string& text() const { return text_; }

 private:
  int line_ = 0;
  std::string text_;
};

// One rule about one field.
struct Rule {
  const char* field;
  const char* text;
  std::function<bool(const EmulatorConfig&)> holds;
};

bool IsGranular(uint64_t value) {
  return ByteSize(value).IsMultipleOf(kGranule);
}

bool IsAddress(uint64_t value) {
  return IsGranular(value) && value < kMaxAddress;
}

bool LinksExist(const EmulatorConfig& config) {
  for (const LinkedPair& link : config.peer_link()) {
    for (const int32_t end : {link.a(), link.b()}) {
      if (end < 0 || end >= config.device_count()) return false;
    }
  }
  return true;
}

const std::vector<Rule>& Rules() {
  static const auto& rules = *new std::vector<Rule>{
      {"contract", "must be \"2026-07\" or \"2026-08\"",
       [](const EmulatorConfig& c) {
         return c.contract() == "2026-07" || c.contract() == "2026-08";
       }},
      {"device_count", "must be in [1, 64]",
       [](const EmulatorConfig& c) {
         return c.device_count() >= 1 && c.device_count() <= kMaxDevices;
       }},
      {"device_memory_bytes", "must be in [134217728, 1099511627776]",
       [](const EmulatorConfig& c) {
         return c.device_memory_bytes() >= MiB(128).bytes() &&
                c.device_memory_bytes() <= TiB(1).bytes();
       }},
      {"numa_nodes", "must be in [1, 63]",
       [](const EmulatorConfig& c) {
         return c.numa_nodes() >= 1 && c.numa_nodes() <= 63;
       }},
      {"window_base", "must be a multiple of 2097152 below 2^47",
       [](const EmulatorConfig& c) { return IsAddress(c.window_base()); }},
      {"window_bytes", "must be a multiple of 2097152, at most 3298534883328",
       [](const EmulatorConfig& c) {
         return IsGranular(c.window_bytes()) &&
                c.window_bytes() <= TiB(3).bytes();
       }},
      {"device_window_base", "must be a multiple of 2097152 below 2^47",
       [](const EmulatorConfig& c) {
         return IsAddress(c.device_window_base());
       }},
      {"peer_link", "must name devices in [0, device_count)", LinksExist},
      {"max_enabled_peers", "must be in [0, 63]",
       [](const EmulatorConfig& c) {
         return c.max_enabled_peers() >= 0 && c.max_enabled_peers() <= 63;
       }},
  };
  return rules;
}

// The line where the last value of a field stands, from 1; 0 when it does not.
int LineOf(const google::protobuf::TextFormat::ParseInfoTree& tree,
           const EmulatorConfig& config, const char* field) {
  const auto* descriptor = EmulatorConfig::descriptor()->FindFieldByName(field);
  const int last =
      descriptor->is_repeated()
          ? config.GetReflection()->FieldSize(config, descriptor) - 1
          : -1;
  return tree.GetLocation(descriptor, last).line + 1;
}

}  // namespace

absl::StatusOr<EmulatorConfig> ParseConfig(const std::string& text,
                                           const std::string& name) {
  google::protobuf::TextFormat::Parser parser;
  google::protobuf::TextFormat::ParseInfoTree tree;
  FirstError error;
  parser.RecordErrorsTo(&error);
  parser.WriteLocationsTo(&tree);
  EmulatorConfig config;
  if (!parser.ParseFromString(text, &config)) {
    return absl::InvalidArgumentError(
        absl::StrCat(name, ":", error.line(), ": ", error.text()));
  }
  for (const Rule& rule : Rules()) {
    if (rule.holds(config)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(name, ":", LineOf(tree, config, rule.field), ": ",
                     rule.field, ": ", rule.text));
  }
  return config;
}

absl::StatusOr<EmulatorConfig> LoadConfig(const std::string& path) {
  if (path.empty()) return EmulatorConfig();
  const auto unreadable = [&](absl::string_view why) {
    return absl::NotFoundError(absl::StrCat(path, ": ", why));
  };
  // Non-blocking: a FIFO must not hang the program.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return unreadable(strerror(errno));
  struct stat about;
  std::string text;
  bool readable = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
                  about.st_size <= kMaxFileBytes;
  if (readable) {
    text.resize(static_cast<size_t>(about.st_size));
    const ssize_t got = read(fd, text.data(), text.size());
    readable = got == about.st_size;
  }
  close(fd);
  if (!readable) return unreadable("not a regular file of at most 1 MiB");
  return ParseConfig(text, path);
}

}  // namespace npu::hal::emu
