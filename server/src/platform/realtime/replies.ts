import type { Channel } from './channels.ts'
import { type Frame, type FrameEncoder, frameEncoder, wireTopic } from './frames.ts'

/** The `phx_reply` to a client's frame. */
export function reply(to: Frame, status: 'ok' | 'error', response: object = {}): FrameEncoder {
  const { joinRef, ref, topic } = to
  return frameEncoder({ joinRef, ref, topic, event: 'phx_reply', payload: { status, response } })
}

/** The reason for which a channel is closed, as a system message. */
export function systemError(channel: Channel, message: string): FrameEncoder {
  const { topic, joinRef } = channel
  const payload = { extension: 'system', status: 'error', message, channel: topic }
  return frameEncoder({ joinRef, topic: wireTopic(topic), event: 'system', payload })
}

/** The close frame of a channel. Older clients identify their join by its ref. */
export function closed({ topic, joinRef }: Channel): FrameEncoder {
  const refs = { joinRef, ref: joinRef }
  return frameEncoder({ ...refs, topic: wireTopic(topic), event: 'phx_close', payload: {} })
}
