import { z } from 'zod'

/** The wire formats of the Phoenix protocol: JSON objects, and JSON arrays with binary broadcasts. */
export const Version = z.enum(['1.0.0', '2.0.0'])
export type Version = z.infer<typeof Version>

export type Frame = {
  joinRef: string | null
  ref: string | null
  /** As on the wire: `realtime:<topic>`, or `phoenix` for the socket itself. */
  topic: string
  event: string
  payload: unknown
}

/** What is told to a topic. A payload that is a Buffer goes out as bytes, which version 1 cannot carry. */
export type Message = { topic: string; event: string; payload: unknown }

/** A frame in whichever version; made once for all who get it. Null for those who cannot. */
export type Prepared = (version: Version) => { data: Buffer; binary: boolean } | null

const PREFIX = 'realtime:'
const MOST_NAME_BYTES = 200

/** Of a topic or an event: printable, and short enough for the one byte that counts it in binary frames. */
export const Name = z
  .string()
  .min(1)
  .refine((name) => Buffer.byteLength(name) <= MOST_NAME_BYTES && !/\p{C}/u.test(name))

const Ref = z
  .string()
  .max(64)
  .nullish()
  .transform((ref) => ref ?? null)
const ObjectFrame = z.object({
  topic: z.string(),
  event: z.string(),
  payload: z.unknown(),
  ref: Ref,
  join_ref: Ref,
})
const ArrayFrame = z.tuple([Ref, Ref, z.string(), z.string(), z.unknown()])

/** Kinds of binary frames: a broadcast of a client, one of the server. Other kinds are not the clients'. */
const PUSHED = 3
const TOLD = 4
const PUSHED_HEAD = 7

/** The topic of a frame, without what every topic begins with on the wire; undefined if it is none. */
export function topicOf(frame: Frame): string | undefined {
  if (!frame.topic.startsWith(PREFIX)) return undefined
  const name = Name.safeParse(frame.topic.slice(PREFIX.length))
  return name.success ? name.data : undefined
}

export function onWire(topic: string): string {
  return PREFIX + topic
}

/** Undefined for what is no frame of that version. */
export function decode(version: Version, data: Buffer, binary: boolean): Frame | undefined {
  try {
    if (binary) return version === '2.0.0' ? decodeBinary(data) : undefined
    const json: unknown = JSON.parse(data.toString())
    if (version === '1.0.0') {
      const { join_ref: joinRef, ...frame } = ObjectFrame.parse(json)
      return { joinRef, ...frame }
    }
    const [joinRef, ref, topic, event, payload] = ArrayFrame.parse(json)
    return { joinRef, ref, topic, event, payload }
  } catch {
    return undefined
  }
}

/** Kind, five lengths, whether the rest is JSON, five texts, the rest. */
function decodeBinary(data: Buffer): Frame | undefined {
  const [kind, ...lengths] = data.subarray(0, PUSHED_HEAD - 1)
  const encoding = data[PUSHED_HEAD - 1]
  if (kind !== PUSHED || encoding === undefined || encoding > 1) return undefined
  let at = PUSHED_HEAD
  const [joinRef = '', ref = '', topic = '', event = ''] = lengths.map((length) => {
    at += length
    return data.toString('utf8', at - length, at)
  })
  if (at > data.length) return undefined
  const rest = data.subarray(at)
  const payload: unknown = encoding === 1 ? JSON.parse(rest.toString()) : rest
  return {
    joinRef: joinRef === '' ? null : joinRef,
    ref: ref === '' ? null : ref,
    topic,
    event: 'broadcast',
    payload: { type: 'broadcast', event, payload },
  }
}

function encode(version: Version, { joinRef, ref, topic, event, payload }: Frame): Buffer {
  const json =
    version === '1.0.0'
      ? { topic, event, payload, ref, join_ref: joinRef }
      : [joinRef, ref, topic, event, payload]
  return Buffer.from(JSON.stringify(json))
}

/** For whoever is in a topic, or with refs for one channel alone. */
export function prepare(
  frame: Pick<Frame, 'topic' | 'event' | 'payload'> & Partial<Frame>,
): Prepared {
  const made = new Map<Version, { data: Buffer; binary: boolean }>()
  return (version) => {
    const known = made.get(version)
    if (known) return known
    const whole = { joinRef: null, ref: null, ...frame }
    const outgoing = { data: encode(version, whole), binary: false }
    made.set(version, outgoing)
    return outgoing
  }
}

/** Newer clients take a broadcast of JSON as text too, so that only bytes need the binary frame. */
export function prepareBroadcast({ topic, event, payload }: Message): Prepared {
  if (!Buffer.isBuffer(payload)) {
    const told = { type: 'broadcast', event, payload }
    return prepare({ topic: onWire(topic), event: 'broadcast', payload: told })
  }
  const names = [Buffer.from(onWire(topic)), Buffer.from(event)]
  const head = [TOLD, ...names.map((name) => name.length), 0, 0]
  const data = Buffer.concat([Buffer.from(head), ...names, payload])
  return (version) => (version === '2.0.0' ? { data, binary: true } : null)
}
