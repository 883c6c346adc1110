import { StorageClient } from '@supabase/storage-js'
import { z } from 'zod'

export type Client = StorageClient

/** A client with that header; anonymous without one. */
export function clientOf(
  server: { url: string },
  headers: { authorization?: string } = {},
): Client {
  return new StorageClient(server.url, headers)
}

type Result = { data: unknown; error: unknown }

/** The data of a call; fails the test if it was refused. */
export async function ok<R extends Result>(
  call: PromiseLike<R>,
): Promise<Extract<R, { error: null }>['data']> {
  const { data, error } = await call
  if (error) throw new Error(`refused: ${JSON.stringify(error)}`)
  return data
}

/**
 * The shapes in which clients report errors: an error, the response body, or a response that they could not
 * parse.
 */
const Refused = z.union([
  z.object({ statusCode: z.coerce.number(), message: z.string() }),
  z.object({ originalError: z.object({ status: z.number() }) }),
  z.object({ status: z.number(), message: z.string() }),
])

export type Refusal = { status: number; message: string | undefined }

/** The error of a call; fails the test if it was not refused. Clients do not always report the message. */
export async function refusal(call: PromiseLike<{ error: unknown }>): Promise<Refusal> {
  const { error } = await call
  if (!error) throw new Error('was not refused')
  const refused = Refused.parse(error)
  if ('originalError' in refused) {
    return { status: refused.originalError.status, message: undefined }
  }
  const status = 'statusCode' in refused ? refused.statusCode : refused.status
  return { status, message: refused.message }
}
