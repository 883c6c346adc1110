import { randomBytes } from 'node:crypto'

/** The parameters that every authenticator app supports; several support no others (RFC 6238, SHA-1). */
const shape = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Accepted steps before and after the current one: clocks differ, and typing takes time. */
const WINDOW = 1

/** The length of a secret in bytes, equal to that of the hash. */
const SECRET_BYTES = 20

/** Loaded at the first use: few calls need it. */
const otpauth = () => import('otpauth')

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/**
 * A secret in the forms that apps read, shown once: text, URI, and QR code (raw SVG).
 *
 * @param issuer shown above the code; the app takes the text after a colon for the label
 */
export async function createTotpEnrolment(
  secret: Buffer,
  { issuer, label }: { issuer: string; label: string },
) {
  const [{ TOTP, Secret }, { renderSVG }] = await Promise.all([otpauth(), import('uqr')])
  const key = new Secret({ buffer: bytesOf(secret) })
  const uri = new TOTP({
    ...shape,
    secret: key,
    issuer: issuer.replaceAll(':', ' '),
    label,
  }).toString()
  // Scanners need a quiet zone of four modules.
  return { uri, secret: key.base32, qr_code: renderSVG(uri, { ecc: 'M', border: 4, pixelSize: 4 }) }
}

/**
 * The time step of 30 seconds that a code belongs to.
 *
 * @param after the step of the last accepted code: neither it nor older ones are accepted again
 * @returns null when the code is not valid now
 */
export async function stepOfCode(
  secret: Buffer,
  code: string,
  now: number,
  after: number | null,
): Promise<number | null> {
  // The library throws for digits of other scripts.
  if (!/^[0-9]{6}$/.test(code)) return null
  const { TOTP, Secret } = await otpauth()
  const totp = new TOTP({ ...shape, secret: new Secret({ buffer: bytesOf(secret) }) })
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW })
  if (delta === null) return null
  const step = TOTP.counter({ period: shape.period, timestamp: now }) + delta
  return after === null || step > after ? step : null
}

/** Copies: a Buffer may be a view of a larger one. */
function bytesOf(secret: Buffer): ArrayBuffer {
  return new Uint8Array(secret).buffer
}
