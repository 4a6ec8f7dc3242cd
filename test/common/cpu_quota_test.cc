// The default of --threads under CPU quotas, in trees like those of the kernel.
#include "common/cpu_quota.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>

#include "common/parallel.h"
#include "test/written_graph.h"

namespace edgemill {
namespace {

class CpuQuotaTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& contents) {
    const std::filesystem::path whole = root_.path() + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << contents;
  }
  std::optional<uint64_t> Quota() { return CpuQuotaProcessors(root_.path()); }

  /// Version 2 at /sys/fs/cgroup, this process in /a/b.
  void MakeUnified() {
    Write("/proc/self/cgroup", "0::/a/b\n");
    Write("/proc/self/mountinfo",
          "22 1 0:20 / / rw - ext4 /dev/vda rw\n"
          "30 22 0:27 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n");
  }
  /// Version 1 with other controllers around, this process in /pod/run.
  void MakeSeparate(const std::string& mount_root = "/") {
    Write("/proc/self/cgroup", "3:cpuset:/\n2:cpu,cpuacct:/pod/run\n1:memory:/other\n0::/\n");
    Write("/proc/self/mountinfo",
          "31 30 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
          "32 30 0:29 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
          "33 30 0:30 " +
              mount_root + " /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n");
  }
  void WriteSeparate(const std::string& group, const std::string& quota) {
    Write("/sys/fs/cgroup/cpu" + group + "/cpu.cfs_quota_us", quota + "\n");
    Write("/sys/fs/cgroup/cpu" + group + "/cpu.cfs_period_us", "100000\n");
  }

  TemporaryDirectory root_;
};

TEST_F(CpuQuotaTest, NoTreesAreNoLimit) { EXPECT_EQ(Quota(), std::nullopt); }

TEST_F(CpuQuotaTest, UnifiedTakesTheLeastOfTheGroupAndItsAncestors) {
  MakeUnified();
  EXPECT_EQ(Quota(), std::nullopt);  // nothing that can be read
  Write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(Quota(), std::nullopt);
  Write("/sys/fs/cgroup/a/b/cpu.max", "600000 100000\n");
  EXPECT_EQ(Quota(), 6u);
  Write("/sys/fs/cgroup/a/cpu.max", "250000 100000\n");
  EXPECT_EQ(Quota(), 3u);  // 2.5
  Write("/sys/fs/cgroup/a/b/cpu.max", "20000 100000\n");
  EXPECT_EQ(Quota(), 1u);
  Write("/sys/fs/cgroup/a/c/cpu.max", "100000 100000\n");  // a sibling's
  Write("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(Quota(), 3u);
}

TEST_F(CpuQuotaTest, NonsenseIsNoLimit) {
  MakeUnified();
  for (const char* contents : {"", "100000", "0 100000", "100000 0", "few many", "1 2 3"}) {
    Write("/sys/fs/cgroup/a/b/cpu.max", contents);
    EXPECT_EQ(Quota(), std::nullopt) << contents;
  }
  for (const char* groups : {"nothing\n::\n", "0::\n", "0::group\n", "0::/../../x\n"}) {
    Write("/proc/self/cgroup", groups);
    EXPECT_EQ(Quota(), std::nullopt) << groups;
  }
}

TEST_F(CpuQuotaTest, SeparateHierarchiesAskThatOfProcessors) {
  MakeSeparate();
  WriteSeparate("/pod/run", "-1");
  Write("/sys/fs/cgroup/memory/pod/run/cpu.cfs_quota_us", "100000\n");
  Write("/sys/fs/cgroup/memory/pod/run/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Quota(), std::nullopt);
  WriteSeparate("/pod", "400000");
  EXPECT_EQ(Quota(), 4u);
  WriteSeparate("", "150000");
  EXPECT_EQ(Quota(), 2u);
}

TEST_F(CpuQuotaTest, AContainerSeesItsGroupAtTheMountPoint) {
  MakeSeparate("/pod");
  WriteSeparate("", "300000");
  EXPECT_EQ(Quota(), 3u);
  WriteSeparate("/run", "200000");
  EXPECT_EQ(Quota(), 2u);
  for (const char* mounted : {"/pod/run", "/po", "/elsewhere"}) {
    MakeSeparate(mounted);
    EXPECT_EQ(Quota(), 3u) << mounted;
  }
}

TEST(AvailableThreads, IsNoMoreThanTheAffinityMask) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  const int all = AvailableThreads();
  EXPECT_GE(all, 1);
  EXPECT_LE(all, CPU_COUNT(&before));
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &before)) CPU_SET(cpu, &one);
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(AvailableThreads(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

}  // namespace
}  // namespace edgemill
