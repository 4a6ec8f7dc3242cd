// Whether a sanitizer is compiled in. Sanitizers have their own allocator and use more memory, so
// tests cannot check a bound on memory. The thread sanitizer ends a forked child that starts
// threads.
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
