// Random bytes for libraries in the wheel that take them from glibc 2.36, on systems with an older one.
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf(void* bytes, size_t size);
uint32_t arc4random(void);

void arc4random_buf(void* bytes, size_t size) {
  while (size > 0) {
    const ssize_t got = getrandom(bytes, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) abort();  // as glibc does: nothing else would be random
    bytes = (char*)bytes + got;
    size -= (size_t)got;
  }
}

uint32_t arc4random(void) {
  uint32_t number;
  arc4random_buf(&number, sizeof number);
  return number;
}
