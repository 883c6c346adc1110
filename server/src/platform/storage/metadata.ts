import { z } from 'zod'

/** Bytes of JSON. Metadata is stored in the database and does not count against the quota. */
export const MAX_METADATA = 8 * 1024

/** A client's own metadata of a file. */
export const Metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA)
