import { z } from 'zod'
import { SourceError } from '../../ports/order-source.ts'

/** A reply that is an error of Airtable's own. */
export class AirtableRefusal extends Error {
  override readonly name = 'AirtableRefusal'
  readonly status: number
  readonly type: string
  /** The column it is about, where it names one that was sent. */
  readonly column: RefusedColumn | undefined

  constructor(status: number, type: string, column?: RefusedColumn) {
    super(`Airtable answered ${status} ${type}`)
    this.status = status
    this.type = type
    this.column = column
  }
}

/** `isComputed`: Airtable fills it, and nobody else. */
export type RefusedColumn = { name: string; isComputed: boolean }

/** Its own word for what is wrong. Anything longer might quote what was sent. */
const ErrorType = z.string().regex(/^[A-Z][A-Z0-9_]{1,79}$/)

/** The forms of its errors: a bare type, a type with a message, and a list of those for 429. */
const ErrorReply = z.union([
  z.object({ error: ErrorType }).transform(({ error }) => error),
  z.object({ error: z.object({ type: ErrorType }) }).transform(({ error }) => error.type),
  z
    .object({ errors: z.tuple([z.object({ error: ErrorType })], z.unknown()) })
    .transform(({ errors: [first] }) => first.error),
])

/** The whole reply as text. @throws SourceError when it has more bytes than that */
export async function readBounded(reply: Response, limit: number): Promise<string> {
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
    const json: unknown = JSON.parse(text)
    return json
  } catch {
    throw new SourceError('unreachable', 'the reply of Airtable is not JSON')
  }
}

/** What kind of error that is; undefined when it is none of Airtable's. */
export function errorType(text: string): string | undefined {
  try {
    return ErrorReply.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const Explained = z.object({ error: z.object({ message: z.string() }) })
const ABOUT_COLUMN = /^(?:Field|Unknown field name:) "([^"]*)"/

/** The column that an error is about, if it is one of those: its message may quote anything that was sent. */
export function errorColumn(text: string, sent: readonly string[]): RefusedColumn | undefined {
  try {
    const { message } = Explained.parse(JSON.parse(text)).error
    const name = sent.find((each) => each === ABOUT_COLUMN.exec(message)?.[1])
    return name === undefined ? undefined : { name, isComputed: /\bcomputed\b/.test(message) }
  } catch {
    return undefined
  }
}
