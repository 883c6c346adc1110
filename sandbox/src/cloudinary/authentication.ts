import { createHash } from 'node:crypto'
import { Refusal } from './refusal.ts'

/** An upload preset: the prefix of public ids. */
export type Preset = { publicIdPrefix?: string }

export type Account = {
  key: string
  secret: string
  presets: Record<string, Preset>
  now: () => number
}

const UNSIGNED = new Set(['signature', 'api_key', 'file', 'cloud_name', 'resource_type'])

/**
 * Checks that a call is signed, within the hour.
 *
 * @throws Refusal with Cloudinary's messages
 */
export function authenticate(fields: Record<string, string>, account: Account): void {
  const { api_key: key, signature, timestamp = '', upload_preset: presetName } = fields
  if (presetName !== undefined && !account.presets[presetName]) {
    throw new Refusal(400, 'Upload preset not found')
  }
  if (signature === undefined) throw new Refusal(401, 'Missing signature')
  if (key === undefined) throw new Refusal(400, 'Missing required parameter - api_key')
  if (key !== account.key) throw new Refusal(401, `Unknown API key ${key}`)
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new Refusal(400, 'Missing required parameter - timestamp')
  }
  const said = signedText(fields)
  const expected = createHash('sha1').update(`${said}${account.secret}`).digest('hex')
  if (signature !== expected) {
    throw new Refusal(401, `Invalid Signature ${signature}. String to sign - '${said}'.`)
  }
  if (Math.abs(account.now() / 1000 - Number(timestamp)) > 3600) {
    const when = new Date(Number(timestamp) * 1000).toISOString()
    throw new Refusal(400, `Stale request - reported time is ${when} which is more than 1 hour ago`)
  }
}

function signedText(fields: Record<string, string>): string {
  return Object.keys(fields)
    .filter((name) => !UNSIGNED.has(name) && fields[name] !== '')
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join('&')
}
