// Whether a sanitizer is compiled in: sanitizers keep memory of their own, and an allocator, so
// that no bound on memory can be held or measured; and the thread sanitizer ends a forked child
// that starts threads.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define EDGEMILL_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define EDGEMILL_TEST_SANITIZED 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
#define EDGEMILL_TEST_THREAD_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define EDGEMILL_TEST_THREAD_SANITIZED 1
#endif
#endif
