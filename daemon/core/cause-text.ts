/** POSIX error numbers (errno.h) in words; the names in parentheses are what a search engine knows. */
const causes: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'this user may not do that there',
  EPERM: 'this user may not do that there',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EEXIST: 'a file of that name is there already',
  ENOSPC: 'no space is left on the disk',
  EDQUOT: "this user's share of the disk is used up",
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open on this machine',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'symbolic links lead in a circle',
  EIO: 'the disk reports an error',
  EBUSY: 'it is in use',
  ENXIO: 'there is no such device',
  ENODEV: 'there is no such device',
  EFBIG: 'the file would be too large',
};

/**
 * Why an operation of the operating system failed, in our own words; any other error keeps its message.
 * The path is left out: the place that reports the error names it.
 */
export function causeText(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  const words = typeof code === 'string' ? causes[code] : undefined;
  if (words !== undefined) return `${words} (${String(code)})`;
  return error instanceof Error ? error.message : String(error);
}
