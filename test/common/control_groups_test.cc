// The defaults of --threads and --memory under control groups, in trees like those of the kernel.
#include "common/os/control_groups.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <filesystem>
#include <fstream>

#include "common/os/memory_budget.h"
#include "common/threads/parallel.h"
#include "test/graphs/written_graph.h"

namespace edgemill {
namespace {

class ControlGroupsTest : public testing::Test {
 protected:
  void Write(const std::string& path, const std::string& contents) {
    const std::filesystem::path whole = root_.path() + path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << contents;
  }
  std::optional<uint64_t> Quota() { return CpuQuotaProcessors(root_.path()); }
  std::optional<uint64_t> FreeBytes() { return ControlGroupFreeBytes(root_.path()); }

  /// Control groups of version 2 at /sys/fs/cgroup; this process is in /a/b.
  void MakeUnified() {
    Write("/proc/self/cgroup", "0::/a/b\n");
    Write("/proc/self/mountinfo",
          "22 1 0:20 / / rw - ext4 /dev/vda rw\n"
          "30 22 0:27 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n");
  }
  /// Control groups of version 1, with other controllers too; this process is in /pod/run.
  void MakeSeparate(const std::string& mount_root = "/") {
    Write("/proc/self/cgroup", "3:cpuset:/\n2:cpu,cpuacct:/pod/run\n1:memory:/job/own\n0::/\n");
    Write("/proc/self/mountinfo",
          "31 30 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
          "34 30 0:31 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
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

TEST_F(ControlGroupsTest, NoTreesAreNoLimit) {
  EXPECT_EQ(Quota(), std::nullopt);
  EXPECT_EQ(FreeBytes(), std::nullopt);
}

TEST_F(ControlGroupsTest, UnifiedTakesTheLeastOfTheGroupAndItsAncestors) {
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

TEST_F(ControlGroupsTest, NonsenseIsNoLimit) {
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

TEST_F(ControlGroupsTest, QuotaComesFromTheProcessorHierarchyOfVersion1) {
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

TEST_F(ControlGroupsTest, AContainerSeesItsGroupAtTheMountPoint) {
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

TEST_F(ControlGroupsTest, UnifiedMemoryIsTheLeastOfTheGroupAndItsAncestors) {
  MakeUnified();
  EXPECT_EQ(FreeBytes(), std::nullopt);
  Write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  Write("/sys/fs/cgroup/a/b/memory.high", "max\n");
  EXPECT_EQ(FreeBytes(), std::nullopt);
  Write("/sys/fs/cgroup/a/b/memory.max", "8000\n");
  EXPECT_EQ(FreeBytes(), 8000u);
  Write("/sys/fs/cgroup/a/b/memory.high", "7000\n");
  EXPECT_EQ(FreeBytes(), 7000u);
  Write("/sys/fs/cgroup/a/memory.max", "6000\n");
  EXPECT_EQ(FreeBytes(), 6000u);
  Write("/sys/fs/cgroup/memory.max", "5000\n");
  EXPECT_EQ(FreeBytes(), 5000u);
  Write("/sys/fs/cgroup/a/c/memory.max", "10\n");  // a sibling's
  EXPECT_EQ(FreeBytes(), 5000u);
}

TEST_F(ControlGroupsTest, MemoryInUseIsNotFreeButPageCacheIs) {
  MakeUnified();
  Write("/sys/fs/cgroup/a/b/memory.max", "5000\n");
  Write("/sys/fs/cgroup/a/memory.max", "6000\n");
  Write("/sys/fs/cgroup/a/memory.current", "4000\n");  // most of it is a sibling's
  Write("/sys/fs/cgroup/a/memory.stat",
        "anon 2700\nfile 1300\nshmem 300\ninactive_anon 3000\ninactive_file 900\n"
        "active_file 100\n");
  EXPECT_EQ(FreeBytes(), 3000u);
  for (const char* contents :
       {"", "inactive_file", "inactive_file many", "total_active_file 900"}) {
    Write("/sys/fs/cgroup/a/memory.stat", contents);
    EXPECT_EQ(FreeBytes(), 2000u) << contents;
  }
  Write("/sys/fs/cgroup/a/memory.current", "7000\n");  // a limit that was lowered
  EXPECT_EQ(FreeBytes(), 0u);
}

TEST_F(ControlGroupsTest, MemoryOfVersion1IsReadInItsOwnHierarchy) {
  MakeSeparate();
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");  // none
  Write("/sys/fs/cgroup/memory/pod/run/memory.limit_in_bytes", "10\n");  // the group of processors
  Write("/sys/fs/cgroup/unified/memory.max", "max\n");
  EXPECT_EQ(FreeBytes(), 9223372036854771712u);
  Write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "9000\n");
  EXPECT_EQ(FreeBytes(), 9000u);
  Write("/sys/fs/cgroup/memory/job/own/memory.limit_in_bytes", "8000\n");
  Write("/sys/fs/cgroup/memory/job/own/memory.usage_in_bytes", "5000\n");
  Write("/sys/fs/cgroup/memory/job/own/memory.stat",
        "inactive_file 1\nactive_file 1\ntotal_inactive_file 1000\ntotal_active_file 500\n");
  EXPECT_EQ(FreeBytes(), 4500u);
}

TEST_F(ControlGroupsTest, NonsenseIsNoMemoryLimit) {
  MakeUnified();
  for (const char* contents : {"", "-1", "5000 5000", "5e3", "99999999999999999999", "few"}) {
    Write("/sys/fs/cgroup/a/b/memory.max", contents);
    EXPECT_EQ(FreeBytes(), std::nullopt) << contents;
  }
}

TEST_F(ControlGroupsTest, TheMountStandsForAGroupOutsideOfIt) {
  MakeUnified();
  Write("/sys/fs/cgroup/memory.max", "5000\n");
  for (const char* outside : {"/x", "/sys/fs/x", "/sys/x"}) {
    Write(outside + std::string("/memory.max"), "10\n");
  }
  for (const char* group : {"/..", "/../..", "/../x", "/../../x", "/../../../x", "/a/../../x"}) {
    Write("/proc/self/cgroup", StrCat("0::", group, "\n"));
    EXPECT_EQ(FreeBytes(), 5000u) << group;
  }
  // A mount of a group above the namespace's root shows groups that lie outside of the namespace.
  Write("/proc/self/mountinfo", "30 22 0:27 /.. /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  Write("/proc/self/cgroup", "0::/../x\n");
  Write("/sys/fs/cgroup/x/memory.max", "4000\n");
  EXPECT_EQ(FreeBytes(), 4000u);
  Write("/proc/self/cgroup", "0::/\n");
  EXPECT_EQ(FreeBytes(), 5000u);
}

TEST_F(ControlGroupsTest, MountsAreUnescapedAndUsualOnesTakenWhereNoneAreKnown) {
  Write("/proc/self/cgroup", "0::/a\\x2db/c\n");
  Write("/proc/self/mountinfo", "30 22 0:27 /a\\134x2db /my\\040groups rw - cgroup2 cgroup2 rw\n");
  Write("/my groups/c/memory.max", "4000\n");
  EXPECT_EQ(FreeBytes(), 4000u);
  std::filesystem::remove(root_.path() + "/proc/self/mountinfo");
  Write("/sys/fs/cgroup/memory.max", "3000\n");
  EXPECT_EQ(FreeBytes(), 3000u);
  Write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "2000\n");
  EXPECT_EQ(FreeBytes(), 2000u);
}

TEST_F(ControlGroupsTest, DefaultMemoryIsHalfOfWhatIsFree) {
  Write("/proc/meminfo", "MemTotal: 100 kB\nMemFree: 1 kB\nMemAvailable: 20 kB\n");
  EXPECT_EQ(DefaultMemoryBytes(root_.path()), 10240u);
  MakeUnified();
  Write("/sys/fs/cgroup/a/memory.max", "8000\n");
  EXPECT_EQ(DefaultMemoryBytes(root_.path()), 4000u);
  Write("/sys/fs/cgroup/a/memory.max", "800000\n");
  EXPECT_EQ(DefaultMemoryBytes(root_.path()), 10240u);
}

TEST_F(ControlGroupsTest, MoreMemoryThanThereIsIsWarnedOf) {
  constexpr uint64_t kGiB = uint64_t{1} << 30;
  EXPECT_EQ(MemoryWarning(~uint64_t{0}, root_.path()), "");  // nothing that can be read
  Write("/proc/meminfo", "MemTotal:       8388608 kB\nMemAvailable:   1048576 kB\n");
  EXPECT_EQ(MemoryWarning(8 * kGiB, root_.path()), "");
  EXPECT_EQ(MemoryWarning(8 * kGiB + 1, root_.path()),
            "--memory 8.00 GiB is more than the 8.00 GiB that this machine has: the kernel may "
            "end the command: give less");
  MakeUnified();
  Write("/sys/fs/cgroup/a/b/memory.max", "max\n");
  EXPECT_EQ(MemoryWarning(8 * kGiB, root_.path()), "");
  Write("/sys/fs/cgroup/a/memory.max", "2147483648\n");
  Write("/sys/fs/cgroup/a/memory.current", "2147483648\n");
  EXPECT_EQ(MemoryWarning(2 * kGiB, root_.path()), "");
  EXPECT_EQ(MemoryWarning(4 * kGiB, root_.path()),
            "--memory 4.00 GiB is more than the 2.00 GiB that this process's control group may "
            "use: the kernel may end the command: give less");
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
