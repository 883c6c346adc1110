import type { Readable } from 'node:stream'

/** A range of bytes, inclusive, counted from 0. */
export type ByteRange = { start: number; end: number }

/** The content to store: bytes, or the path of a local file, which is not removed. */
export type FileSource = Uint8Array | { path: string }

/** A file could not be stored, opened or removed. The failure may be transient. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError'
}

/**
 * Whether a key is valid: at least two names, separated by slashes, of lower-case letters, digits, hyphens and
 * underscores, each beginning with a letter or a digit; 500 characters at most.
 */
export function isFileKey(key: string): boolean {
  return key.length <= 500 && /^[a-z0-9][a-z0-9_-]*(\/[a-z0-9][a-z0-9_-]*)+$/.test(key)
}

/**
 * Stores files under keys (`isFileKey`). No key may be a prefix path of another one.
 *
 * @throws FileStoreError
 */
export type FileStore = {
  /** Stores a file atomically and replaces an existing one with the same key. */
  put(key: string, source: FileSource, contentType: string): Promise<void>
  /**
   * @param range the bytes to read; the caller has checked that they are within the file
   * @returns a stream of the content, and the size of the whole file in `bytes`; undefined when there is no such file
   */
  open(key: string, range?: ByteRange): Promise<{ bytes: number; stream: Readable } | undefined>
  /** Removes a file. A missing file is not an error. */
  remove(key: string): Promise<void>
}

/**
 * A file store that registers every file in the table `stored_files` before it is written, so that no file is
 * orphaned. A job removes files that no row has referred to for a day (triggers on the tables with `file_key` track
 * the references).
 */
export type StoredFiles = Omit<FileStore, 'put'> & {
  /** @param originalKey the key of the file that this one was rendered from; both are removed together */
  put(key: string, source: FileSource, contentType: string, originalKey?: string): Promise<void>
}

/** A file in a store. `modifiedAt` is in milliseconds since 1970, `bytes` the size. */
export type ListedFile = { key: string; bytes: number; modifiedAt: number }

/** A file store whose files can be listed. */
export type ListableFiles = FileStore & {
  /** The files whose keys begin with `prefix` (names, each followed by a slash), in no particular order. */
  list(prefix: string): AsyncIterable<ListedFile>
}
