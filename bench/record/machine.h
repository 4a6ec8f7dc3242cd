// The machine that a benchmark ran on: the properties that influence figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace edgemill::bench {

/// The disk that a path is on.
struct Disk {
  std::string path;
  std::string file_system;  // "ext4"
  std::string device;       // "nvme0n1", "vda"; empty where there is none
  std::string model;        // empty where the kernel gives none
  std::string scheduler;    // "none"
  bool rotational = false;
  uint64_t bytes = 0;
  bool operator==(const Disk&) const = default;
};

struct Machine {
  std::string cpu;
  uint64_t cores = 0;  // that this process may use
  uint64_t memory_bytes = 0;
  std::string kernel;
  std::vector<Disk> disks;
  bool operator==(const Machine&) const = default;
};

/// Asks the kernel about this machine and the disks of `paths`. What it does not say stays empty.
Machine ThisMachine(const std::vector<std::string>& paths);

}  // namespace edgemill::bench
