import type { IncomingHttpHeaders } from 'node:http'
import { Refusal } from './refusal.ts'

const URGENCIES = new Set(['very-low', 'low', 'normal', 'high'])

/** The message size that a service must accept, in bytes (RFC 8030, 7.2). */
const MAX_BYTES = 4096

/** Checks the headers that RFC 8030 requires of a push message. @throws Refusal 400, 413, 415 */
export function checkPushRequest(headers: IncomingHttpHeaders, body: Buffer) {
  const { ttl = '', urgency = 'normal', topic = null } = headers
  if (typeof ttl !== 'string' || !/^\d{1,10}$/.test(ttl)) throw new Refusal(400, 'no TTL')
  if (typeof urgency !== 'string' || !URGENCIES.has(urgency)) throw new Refusal(400, 'bad Urgency')
  if (topic !== null && (typeof topic !== 'string' || !/^[\w-]{1,32}$/.test(topic))) {
    throw new Refusal(400, 'bad Topic')
  }
  if (headers['content-encoding'] !== 'aes128gcm') throw new Refusal(415, 'not aes128gcm')
  if (body.length > MAX_BYTES) throw new Refusal(413, 'too large')
  return { ttl: Number(ttl), urgency, topic }
}
