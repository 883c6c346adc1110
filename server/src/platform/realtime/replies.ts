import type { Channel } from './channel.ts'
import { type Frame, onWire, type Prepared, prepare } from './frames.ts'

/** The answer to a frame of a client, as Phoenix gives it. */
export function reply(to: Frame, status: 'ok' | 'error', response: object = {}): Prepared {
  const { joinRef, ref, topic } = to
  return prepare({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } })
}

/** Why a channel ends, in words of the protocol. */
export function systemError(channel: Channel, message: string): Prepared {
  const { topic, joinRef } = channel
  const payload = { extension: 'system', status: 'error', message, channel: topic }
  return prepare({ joinRef, topic: onWire(topic), event: 'system', payload })
}

/** Older clients know by the ref which of their joins is meant. */
export function closed({ topic, joinRef }: Channel): Prepared {
  const refs = { joinRef, ref: joinRef }
  return prepare({ ...refs, topic: onWire(topic), event: 'phx_close', payload: {} })
}
