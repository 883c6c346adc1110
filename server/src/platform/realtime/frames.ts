import { z } from 'zod'

/** The versions of the Phoenix serializer: 1.0.0 uses JSON objects, 2.0.0 JSON arrays and binary broadcasts. */
export const Version = z.enum(['1.0.0', '2.0.0'])
export type Version = z.infer<typeof Version>

export type Frame = {
  joinRef: string | null
  ref: string | null
  /** In wire form: `realtime:<topic>`, or `phoenix` for the socket itself. */
  topic: string
  event: string
  payload: unknown
}

/** A broadcast message. A payload that is a Buffer is sent as bytes, which version 1 does not support. */
export type Message = { topic: string; event: string; payload: unknown }

/** Encodes a frame for a version, once for all receivers. Null when the version cannot carry it. */
export type FrameEncoder = (version: Version) => { data: Buffer; binary: boolean } | null

const PREFIX = 'realtime:'
const MAX_NAME_BYTES = 200

/** The name of a topic or an event: printable, and of a byte length that fits into one byte of a binary frame. */
export const Name = z
  .string()
  .min(1)
  .refine((name) => Buffer.byteLength(name) <= MAX_NAME_BYTES && !/\p{C}/u.test(name))

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

/** The kinds of binary frames: a user broadcast by a client, and one by the server. */
const USER_BROADCAST_PUSH = 3
const USER_BROADCAST = 4
const PUSH_HEADER_BYTES = 7

/** The topic without its wire prefix; undefined for an invalid one. */
export function topicOf(frame: Frame): string | undefined {
  if (!frame.topic.startsWith(PREFIX)) return undefined
  const name = Name.safeParse(frame.topic.slice(PREFIX.length))
  return name.success ? name.data : undefined
}

export function wireTopic(topic: string): string {
  return PREFIX + topic
}

/** Undefined for an invalid frame of that version. */
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

/**
 * The layout: kind, four lengths of texts, the length of the metadata, whether the payload is JSON, the texts,
 * the payload.
 */
function decodeBinary(data: Buffer): Frame | undefined {
  const [kind, ...lengths] = data.subarray(0, PUSH_HEADER_BYTES - 1)
  const encoding = data[PUSH_HEADER_BYTES - 1]
  if (kind !== USER_BROADCAST_PUSH || encoding === undefined || encoding > 1) return undefined
  let at = PUSH_HEADER_BYTES
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

/** For all channels of a topic, or with refs for one channel. */
export function frameEncoder(
  frame: Pick<Frame, 'topic' | 'event' | 'payload'> & Partial<Frame>,
): FrameEncoder {
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

/** Clients of version 2 accept JSON broadcasts as text too, so that only bytes need a binary frame. */
export function broadcastEncoder({ topic, event, payload }: Message): FrameEncoder {
  if (!Buffer.isBuffer(payload)) {
    const told = { type: 'broadcast', event, payload }
    return frameEncoder({ topic: wireTopic(topic), event: 'broadcast', payload: told })
  }
  const names = [Buffer.from(wireTopic(topic)), Buffer.from(event)]
  const head = [USER_BROADCAST, ...names.map((name) => name.length), 0, 0]
  const data = Buffer.concat([Buffer.from(head), ...names, payload])
  return (version) => (version === '2.0.0' ? { data, binary: true } : null)
}

/** The `phx_reply` to a client's frame. */
export function reply(to: Frame, status: 'ok' | 'error', response: object = {}): FrameEncoder {
  const { joinRef, ref, topic } = to
  return frameEncoder({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } })
}

type Joined = Pick<Frame, 'topic' | 'joinRef'>

/** The reason for which a channel is closed, as a system message. */
export function systemError({ topic, joinRef }: Joined, message: string): FrameEncoder {
  const payload = { extension: 'system', status: 'error', message, channel: topic }
  return frameEncoder({ joinRef, topic: wireTopic(topic), event: 'system', payload })
}

/** The close frame of a channel. Older clients identify their join by its ref. */
export function closed({ topic, joinRef }: Joined): FrameEncoder {
  const refs = { joinRef, ref: joinRef }
  return frameEncoder({ ...refs, topic: wireTopic(topic), event: 'phx_close', payload: {} })
}
