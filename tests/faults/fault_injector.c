// A library to preload: it makes one system call of a program fail, and counts those that it lets pass.
//
//   MGNN_FAULT=KIND:N:ERRNO        the N-th call of the kind fails with that errno; ERRNO "short": it
//                                  transfers half of the bytes; "ENOSPC+": all from the N-th on fail
//   MGNN_FAULT_COUNTS=FILE         "KIND COUNT" lines at exit, and what failed
//
// Calls of the C library to itself do not pass here, so stdio's functions are kinds of read and write,
// too. What is installed with the system (fonts, certificates, locales) is not counted: where that is
// missing, results may differ.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { kOpen, kRead, kWrite, kSync, kClose, kRename, kStat, kMkdir, kUnlink, kLink, kMmap, kTruncate,
       kFlock, kOpendir, kReaddir, kChmod, kKinds };
static const char* const kNames[kKinds] = {"open",  "read",   "write", "sync", "close",    "rename",
                                           "stat",  "mkdir",  "unlink", "link", "mmap",    "truncate",
                                           "flock", "opendir", "readdir", "chmod"};
static const struct { const char* name; int value; } kErrors[] = {
    {"EIO", EIO}, {"ENOSPC", ENOSPC}, {"EACCES", EACCES}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM},
    {"EINTR", EINTR}, {"ENOLCK", ENOLCK}, {"EPERM", EPERM}, {"EXDEV", EXDEV}, {"EINVAL", EINVAL},
    {"short", -1}};

static atomic_int count[kKinds];
static int fault_kind = -1, fault_at, fault_error, fault_sticky;
static atomic_int fired;
static char fired_where[512];

__attribute__((constructor)) static void read_settings(void) {
  const char* text = getenv("MGNN_FAULT");
  char kind[32], error[32];
  if (!text || sscanf(text, "%31[^:]:%d:%31s", kind, &fault_at, error) != 3) return;
  size_t end = strlen(error);
  if (error[end - 1] == '+') fault_sticky = 1, error[end - 1] = 0;
  for (size_t i = 0; i < sizeof kErrors / sizeof *kErrors; i++)
    if (strcmp(kErrors[i].name, error) == 0) fault_error = kErrors[i].value;
  for (int i = 0; i < kKinds; i++)
    if (strcmp(kNames[i], kind) == 0) fault_kind = i;
}

__attribute__((destructor)) static void write_counts(void) {
  const char* path = getenv("MGNN_FAULT_COUNTS");
  if (!path) return;
  char text[2048];
  int used = 0;
  for (int i = 0; i < kKinds; i++)
    used += snprintf(text + used, sizeof text - used, "%s %d\n", kNames[i], count[i]);
  if (fired) used += snprintf(text + used, sizeof text - used, "failed %s\n", fired_where);
  const int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (syscall(SYS_write, fd, text, used) < 0) _exit(99);
  syscall(SYS_close, fd);
}

static int is_of_system(const char* path) {
  // A process's own pipes and sockets have no disk that is full.
  static const char* const folders[] = {"/usr/", "/etc/", "/var/", "/lib", "/dev/", "/opt/",
                                        "pipe:[", "socket:[", "anon_inode:"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (strncmp(path, folders[i], strlen(folders[i])) == 0) return 1;
  return strcmp(path, "/dev/null") != 0 && strstr(path, "fontconfig") != NULL;
}

// 0: let it pass; else the errno to fail with, or -1 to transfer less.
static int failure_at(int kind, const char* function, const char* path) {
  if (path && is_of_system(path)) return 0;
  const int n = ++count[kind];
  if (kind != fault_kind || (fault_sticky ? n < fault_at : n != fault_at)) return 0;
  if (fired && strcmp(path ? path : "", "stderr") == 0) return 0;  // a full disk can still be told of
  if (!fired++) snprintf(fired_where, sizeof fired_where, "%s %s", function, path ? path : "?");
  return fault_error;
}

static int failure_of(int kind, const char* function, int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const long size = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  path[size > 0 ? size : 0] = 0;
  // Standard streams are counted wherever they go.
  return failure_at(kind, function, fd > 2 ? path : fd == 1 ? "stdout" : "stderr");
}

#define REAL(name) static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define FAIL(result, failure) \
  do { const int reason = (failure); if (reason) { errno = reason > 0 ? reason : EIO; return result; } } while (0)
#define BY_PATH(kind, type, name, parameters, arguments, path, result) \
  type name parameters { REAL(name); FAIL(result, failure_at(kind, #name, path)); return real arguments; }
#define BY_FD(kind, type, name, parameters, arguments, fd, result) \
  type name parameters { REAL(name); FAIL(result, failure_of(kind, #name, fd)); return real arguments; }
// Transfers half where that is asked for.
#define TRANSFER(kind, name, parameters, half, arguments, fd)                      \
  ssize_t name parameters {                                                        \
    REAL(name);                                                                    \
    const int e = failure_of(kind, #name, fd);                                     \
    if (e < 0 && size > 1) { size /= 2; return real half; }                        \
    if (e > 0) { errno = e; return -1; }                                           \
    return real arguments;                                                         \
  }

// ---- open
#define OPEN_LIKE(name, parameters, path, with_mode, without)                      \
  int name parameters {                                                            \
    REAL(name);                                                                    \
    FAIL(-1, failure_at(kOpen, #name, path));                                      \
    if (!(flags & (O_CREAT | __O_TMPFILE))) return real without;                   \
    va_list more; va_start(more, flags);                                           \
    const mode_t mode = va_arg(more, mode_t);                                      \
    va_end(more);                                                                  \
    return real with_mode;                                                         \
  }
OPEN_LIKE(open, (const char* path, int flags, ...), path, (path, flags, mode), (path, flags))
OPEN_LIKE(open64, (const char* path, int flags, ...), path, (path, flags, mode), (path, flags))
OPEN_LIKE(openat, (int at, const char* path, int flags, ...), path, (at, path, flags, mode), (at, path, flags))
OPEN_LIKE(openat64, (int at, const char* path, int flags, ...), path, (at, path, flags, mode), (at, path, flags))
int __open_2(const char*, int);
int __open64_2(const char*, int);
BY_PATH(kOpen, int, __open_2, (const char* path, int flags), (path, flags), path, -1)
BY_PATH(kOpen, int, __open64_2, (const char* path, int flags), (path, flags), path, -1)
BY_PATH(kOpen, FILE*, fopen, (const char* path, const char* mode), (path, mode), path, NULL)
BY_PATH(kOpen, FILE*, fopen64, (const char* path, const char* mode), (path, mode), path, NULL)
BY_FD(kOpen, FILE*, fdopen, (int fd, const char* mode), (fd, mode), fd, NULL)

// ---- read and write
TRANSFER(kRead, read, (int fd, void* to, size_t size), (fd, to, size), (fd, to, size), fd)
TRANSFER(kRead, pread, (int fd, void* to, size_t size, off_t at), (fd, to, size, at), (fd, to, size, at), fd)
TRANSFER(kRead, pread64, (int fd, void* to, size_t size, off64_t at), (fd, to, size, at), (fd, to, size, at), fd)
ssize_t __read_chk(int, void*, size_t, size_t);
TRANSFER(kRead, __read_chk, (int fd, void* to, size_t size, size_t room), (fd, to, size, room), (fd, to, size, room), fd)
TRANSFER(kWrite, write, (int fd, const void* from, size_t size), (fd, from, size), (fd, from, size), fd)
TRANSFER(kWrite, pwrite, (int fd, const void* from, size_t size, off_t at), (fd, from, size, at), (fd, from, size, at), fd)
TRANSFER(kWrite, pwrite64, (int fd, const void* from, size_t size, off64_t at), (fd, from, size, at), (fd, from, size, at), fd)
BY_FD(kWrite, ssize_t, writev, (int fd, const struct iovec* parts, int n), (fd, parts, n), fd, -1)
size_t fread(void* to, size_t size, size_t n, FILE* file) {
  REAL(fread);
  FAIL(0, failure_of(kRead, "fread", fileno(file)));
  return real(to, size, n, file);
}
size_t fwrite(const void* from, size_t size, size_t n, FILE* file) {
  REAL(fwrite);
  const int e = failure_of(kWrite, "fwrite", fileno(file));
  if (e == 0) return real(from, size, n, file);
  const size_t done = real(from, size, n / 2, file);  // as a disk that becomes full
  errno = e > 0 ? e : ENOSPC;
  return done < n ? done : 0;
}
int fflush(FILE* file) {
  REAL(fflush);
  if (file) FAIL(EOF, failure_of(kWrite, "fflush", fileno(file)));
  return real(file);
}

// ---- sync and close: what is closed is closed, whatever is said
BY_FD(kSync, int, fsync, (int fd), (fd), fd, -1)
BY_FD(kSync, int, fdatasync, (int fd), (fd), fd, -1)
int close(int fd) {
  REAL(close);
  const int e = failure_of(kClose, "close", fd);
  const int result = real(fd);
  FAIL(-1, e);
  return result;
}
int fclose(FILE* file) {
  REAL(fclose);
  const int e = failure_of(kClose, "fclose", fileno(file));
  const int result = real(file);
  FAIL(EOF, e);
  return result;
}

// ---- names
BY_PATH(kRename, int, rename, (const char* a, const char* b), (a, b), b, -1)
BY_PATH(kRename, int, renameat, (int i, const char* a, int j, const char* b), (i, a, j, b), b, -1)
BY_PATH(kRename, int, renameat2, (int i, const char* a, int j, const char* b, unsigned f), (i, a, j, b, f), b, -1)
BY_PATH(kStat, int, stat, (const char* path, struct stat* to), (path, to), path, -1)
BY_PATH(kStat, int, stat64, (const char* path, struct stat64* to), (path, to), path, -1)
BY_PATH(kStat, int, lstat, (const char* path, struct stat* to), (path, to), path, -1)
BY_PATH(kStat, int, lstat64, (const char* path, struct stat64* to), (path, to), path, -1)
BY_FD(kStat, int, fstat, (int fd, struct stat* to), (fd, to), fd, -1)
BY_FD(kStat, int, fstat64, (int fd, struct stat64* to), (fd, to), fd, -1)
BY_PATH(kStat, int, fstatat, (int at, const char* path, struct stat* to, int f), (at, path, to, f), path, -1)
BY_PATH(kStat, int, fstatat64, (int at, const char* path, struct stat64* to, int f), (at, path, to, f), path, -1)
BY_PATH(kStat, int, statx, (int at, const char* path, int f, unsigned m, struct statx* to), (at, path, f, m, to), path, -1)
BY_PATH(kStat, int, access, (const char* path, int mode), (path, mode), path, -1)
BY_PATH(kStat, int, faccessat, (int at, const char* path, int mode, int f), (at, path, mode, f), path, -1)
BY_PATH(kStat, int, euidaccess, (const char* path, int mode), (path, mode), path, -1)
BY_PATH(kMkdir, int, mkdir, (const char* path, mode_t mode), (path, mode), path, -1)
BY_PATH(kMkdir, int, mkdirat, (int at, const char* path, mode_t mode), (at, path, mode), path, -1)
BY_PATH(kMkdir, char*, mkdtemp, (char* path), (path), path, NULL)
BY_PATH(kUnlink, int, unlink, (const char* path), (path), path, -1)
BY_PATH(kUnlink, int, unlinkat, (int at, const char* path, int f), (at, path, f), path, -1)
BY_PATH(kUnlink, int, rmdir, (const char* path), (path), path, -1)
BY_PATH(kUnlink, int, remove, (const char* path), (path), path, -1)
BY_PATH(kLink, int, link, (const char* a, const char* b), (a, b), b, -1)
BY_PATH(kLink, int, linkat, (int i, const char* a, int j, const char* b, int f), (i, a, j, b, f), b, -1)
BY_PATH(kLink, int, symlink, (const char* a, const char* b), (a, b), b, -1)
BY_PATH(kOpendir, DIR*, opendir, (const char* path), (path), path, NULL)
BY_FD(kOpendir, DIR*, fdopendir, (int fd), (fd), fd, NULL)
BY_FD(kReaddir, struct dirent*, readdir, (DIR* folder), (folder), dirfd(folder), NULL)
BY_FD(kReaddir, struct dirent64*, readdir64, (DIR* folder), (folder), dirfd(folder), NULL)
BY_PATH(kChmod, int, chmod, (const char* path, mode_t mode), (path, mode), path, -1)
BY_FD(kChmod, int, fchmod, (int fd, mode_t mode), (fd, mode), fd, -1)
BY_PATH(kChmod, int, fchmodat, (int at, const char* path, mode_t mode, int f), (at, path, mode, f), path, -1)

// ---- others by descriptor
BY_FD(kTruncate, int, ftruncate, (int fd, off_t size), (fd, size), fd, -1)
BY_FD(kTruncate, int, ftruncate64, (int fd, off64_t size), (fd, size), fd, -1)
int flock(int, int);
BY_FD(kFlock, int, flock, (int fd, int what), (fd, what), fd, -1)
void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
  REAL(mmap);
  FAIL(MAP_FAILED, fd < 0 ? failure_at(kMmap, "mmap", NULL) : failure_of(kMmap, "mmap", fd));
  return real(at, size, protection, flags, fd, offset);
}
void* mmap64(void* at, size_t size, int protection, int flags, int fd, off64_t offset) {
  REAL(mmap64);
  FAIL(MAP_FAILED, fd < 0 ? failure_at(kMmap, "mmap64", NULL) : failure_of(kMmap, "mmap64", fd));
  return real(at, size, protection, flags, fd, offset);
}
