import type { Readable } from 'node:stream'

/** Bytes of a file, both ends included, counted from 0. */
export type ByteRange = { start: number; end: number }

/** What is kept: the bytes themselves, or a file of this machine, which is left where it is. */
export type FileSource = Uint8Array | { path: string }

/** A file could not be kept, opened or removed. It may pass. */
export class FileStoreError extends Error {
  override readonly name = 'FileStoreError'
}

/**
 * Whether a file may have that key: two names or more with slashes between them, each of lower-case letters,
 * digits, hyphens and underscores, not beginning with one of the last two.
 */
export function isFileKey(key: string): boolean {
  return key.length <= 500 && /^[a-z0-9][a-z0-9_-]*(\/[a-z0-9][a-z0-9_-]*)+$/.test(key)
}

/**
 * Where files are kept, each under a key (`isFileKey`), which is not the beginning of another's.
 *
 * @throws FileStoreError
 */
export type FileStore = {
  /** Keeps it whole or not at all, in the place of what had that key. */
  put(key: string, source: FileSource, contentType: string): Promise<void>
  /**
   * @param range what of it is wanted; the caller has asked for nothing outside of it
   * @returns `bytes` of the whole file; undefined when nothing has that key
   */
  open(key: string, range?: ByteRange): Promise<{ bytes: number; stream: Readable } | undefined>
  /** What is not there is removed already. */
  remove(key: string): Promise<void>
}

/**
 * The same, with every file noted in the database before it is there, so that none is forgotten: what no row
 * refers to for a day (tables with `file_key`, by trigger) is removed by a job.
 */
export type KeptFiles = Omit<FileStore, 'put'> & {
  /** @param drawnFrom the key of the file it was drawn from, with which it goes */
  put(key: string, source: FileSource, contentType: string, drawnFrom?: string): Promise<void>
}
