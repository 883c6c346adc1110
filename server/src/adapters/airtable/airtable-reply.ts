import { wellFormedJson } from '@bancone/contract/well-formed-text'
import { z } from 'zod'
import { SourceError } from '../../ports/order-source.ts'

/** An error response of Airtable. */
export class AirtableRefusal extends Error {
  override readonly name = 'AirtableRefusal'
  readonly status: number
  readonly type: string
  /** The column concerned, if the error names one that was sent. */
  readonly column: RefusedColumn | undefined

  constructor(status: number, type: string, column?: RefusedColumn) {
    super(`Airtable answered ${status} ${type}`)
    this.status = status
    this.type = type
    this.column = column
  }
}

/** `isComputed`: a computed column, which cannot be written. */
export type RefusedColumn = { name: string; isComputed: boolean }

/** Airtable's error type. Other texts may quote the request. */
const ErrorType = z.string().regex(/^[A-Z][A-Z0-9_]{1,79}$/)

/** The formats of Airtable's errors: a type, a type with a message, or for 429 a list of those. */
const ErrorReply = z.union([
  z.object({ error: ErrorType }).transform(({ error }) => error),
  z.object({ error: z.object({ type: ErrorType }) }).transform(({ error }) => error.type),
  z
    .object({ errors: z.tuple([z.object({ error: ErrorType })], z.unknown()) })
    .transform(({ errors: [first] }) => first.error),
])

/** Reads the response as text. @throws SourceError if it exceeds `limit` bytes */
export async function readLimited(reply: Response, limit: number): Promise<string> {
  const body: ReadableStream<Uint8Array> | null = reply.body
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > limit) throw new SourceError('unreachable', 'the reply of Airtable is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

export function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(wellFormedJson(text))
    return json
  } catch {
    throw new SourceError('unreachable', 'the reply of Airtable is not JSON')
  }
}

/** The type of an error response; undefined if it is not an error of Airtable. */
export function errorType(text: string): string | undefined {
  try {
    return ErrorReply.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const Explained = z.object({ error: z.object({ message: z.string() }) })
const ABOUT_COLUMN = /^(?:Field|Unknown field name:) "([^"]*)"/

/** The column that an error is about, if it is one of `sent`. Only names are returned: the message may quote values. */
export function errorColumn(text: string, sent: readonly string[]): RefusedColumn | undefined {
  try {
    const { message } = Explained.parse(JSON.parse(text)).error
    const name = sent.find((each) => each === ABOUT_COLUMN.exec(message)?.[1])
    return name === undefined ? undefined : { name, isComputed: /\bcomputed\b/.test(message) }
  } catch {
    return undefined
  }
}
