import { StorageClient } from '@supabase/storage-js'
import { z } from 'zod'

export type Client = StorageClient

/** A client of whoever that header names; without one, of nobody. */
export function clientOf(
  server: { url: string },
  headers: { authorization?: string } = {},
): Client {
  return new StorageClient(server.url, headers)
}

type Result = { data: unknown; error: unknown }

/** What the call gave; fails the test if it was refused. */
export async function ok<R extends Result>(
  call: PromiseLike<R>,
): Promise<Extract<R, { error: null }>['data']> {
  const { data, error } = await call
  if (error) throw new Error(`refused: ${JSON.stringify(error)}`)
  return data
}

/** As the clients tell it: as an error, as the answer itself, or as the reply they could not read. */
const Refused = z.union([
  z.object({ statusCode: z.coerce.number(), message: z.string() }),
  z.object({ originalError: z.object({ status: z.number() }) }),
  z.object({ status: z.number(), message: z.string() }),
])

export type Refusal = { status: number; message: string | undefined }

/** Why the call was refused; fails the test if it was not. The message is not always told. */
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
