import { randomBytes } from 'node:crypto'

/** Codes as every app makes them; several know no other kind (RFC 6238, SHA-1). */
const shape = { algorithm: 'SHA1', digits: 6, period: 30 } as const

/** Steps before and after that a code is taken of: clocks differ, and people are slow. */
const WINDOW = 1

/** Bytes of a secret, as long as the hash. */
const SECRET_BYTES = 20

/** What is shown to whoever enrols, once. */
export type TotpEnrolment = { qr_code: string; secret: string; uri: string }

/** The parts that few calls need are loaded by the first. */
const otpauth = () => import('otpauth')

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/**
 * A secret as apps read it: as text, as an address, and as the picture of that (raw SVG).
 *
 * @param issuer shown above the code; the app takes what follows a colon for the label
 */
export async function showTotp(
  secret: Buffer,
  { issuer, label }: { issuer: string; label: string },
): Promise<TotpEnrolment> {
  const [{ TOTP, Secret }, { renderSVG }] = await Promise.all([otpauth(), import('uqr')])
  const key = new Secret({ buffer: bytesOf(secret) })
  const uri = new TOTP({
    ...shape,
    secret: key,
    issuer: issuer.replaceAll(':', ' '),
    label,
  }).toString()
  // Cameras look for the white around it: four modules.
  return { uri, secret: key.base32, qr_code: renderSVG(uri, { ecc: 'M', border: 4, pixelSize: 4 }) }
}

/**
 * The step of 30 seconds that a code is of.
 *
 * @param after the step of the last code that was taken: none is taken twice, nor one that is older
 * @returns null when it is none of now
 */
export async function stepOfCode(
  secret: Buffer,
  code: string,
  now: number,
  after: number | null,
): Promise<number | null> {
  // The library throws at figures of other scripts.
  if (!/^[0-9]{6}$/.test(code)) return null
  const { TOTP, Secret } = await otpauth()
  const totp = new TOTP({ ...shape, secret: new Secret({ buffer: bytesOf(secret) }) })
  const delta = totp.validate({ token: code, timestamp: now, window: WINDOW })
  if (delta === null) return null
  const step = TOTP.counter({ period: shape.period, timestamp: now }) + delta
  return after === null || step > after ? step : null
}

/** Of a Buffer, which may be a part of a larger one. */
function bytesOf(secret: Buffer): ArrayBuffer {
  return new Uint8Array(secret).buffer
}
