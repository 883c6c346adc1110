import { z } from 'zod'

/** Bytes of what a client says of a file, as JSON: it is in the database, beside every quota. */
export const MOST_METADATA = 8 * 1024

/** What a client says of a file. */
export const Metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MOST_METADATA)
