// Writing to pipes that are full, and opening pipes without a reader.
#include "common/os/stream_write.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>

#include "common/cancel.h"
#include "test/temporary_directory.h"

namespace edgemill {
namespace {

class StreamWriteTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(pipe(ends_), 0); }
  void TearDown() override {
    ClearCancel();
    close(ends_[0]);
    close(ends_[1]);
  }
  static std::span<const std::byte> Bytes(const std::string& text) {
    return std::as_bytes(std::span(text));
  }

  int ends_[2] = {-1, -1};
  const std::string text_ = std::string(300'000, 'x');  // more than a pipe takes
};

TEST_F(StreamWriteTest, AStopEndsTheWaitInAFullPipe) {
  for (const int flags : {0, O_NONBLOCK}) {
    ASSERT_EQ(fcntl(ends_[1], F_SETFL, flags), 0);
    std::thread other([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      RequestCancel();
    });
    timespec before, after;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before);
    EXPECT_EQ(WriteStream(ends_[1], "pipe", Bytes(text_)).code(), Code::kCancelled);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after);
    const double seconds = static_cast<double>(after.tv_sec - before.tv_sec) +
                           1e-9 * static_cast<double>(after.tv_nsec - before.tv_nsec);
    EXPECT_LT(seconds, 0.1) << "it spins";
    other.join();
    ClearCancel();
    EXPECT_EQ(fcntl(ends_[1], F_GETFL) & O_NONBLOCK, flags) << "others share this flag";
  }
}

TEST_F(StreamWriteTest, AllArrivesWhateverTheReadersPace) {
  for (const int flags : {0, O_NONBLOCK}) {
    ASSERT_EQ(fcntl(ends_[1], F_SETFL, flags), 0);
    std::string got;
    std::thread reader([&] {
      std::string part(7'001, ' ');
      while (got.size() < text_.size()) {
        const ssize_t size = read(ends_[0], part.data(), part.size());
        ASSERT_GT(size, 0);
        got += part.substr(0, static_cast<size_t>(size));
      }
    });
    EXPECT_TRUE(WriteStream(ends_[1], "pipe", Bytes(text_)).ok());
    reader.join();
    EXPECT_EQ(got, text_);
  }
}

TEST_F(StreamWriteTest, AReaderThatHasGoneIsTold) {
  close(ends_[0]);
  ends_[0] = -1;
  std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(WriteStream(ends_[1], "pipe", Bytes(text_)).errno_value(), EPIPE);
}

TEST_F(StreamWriteTest, ANamedPipeIsOpenedOnceItHasAReader) {
  const TemporaryDirectory directory;
  const std::string path = directory / "fifo";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  std::string got(text_.size(), ' ');
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const int fd = open(path.c_str(), O_RDONLY);
    size_t done = 0;
    for (ssize_t size = 1; size > 0; done += static_cast<size_t>(size)) {
      size = read(fd, got.data() + done, got.size() - done);
      if (size < 0) break;
    }
    close(fd);
  });
  {
    const StatusOr<File> file = OpenStream(path);
    ASSERT_TRUE(file.ok()) << file.status().message();
    EXPECT_TRUE(WriteStream(file->fd(), path, Bytes(text_)).ok());
  }
  reader.join();
  EXPECT_EQ(got, text_);
  RequestCancel();
  EXPECT_EQ(OpenStream(path).status().code(), Code::kCancelled);
}

}  // namespace
}  // namespace edgemill
