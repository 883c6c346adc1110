import { createHash } from 'node:crypto'

/**
 * The signature of a Cloudinary request: the SHA-1 of all fields except the file and the key, sorted by name, followed by
 * the secret (cloudinary.com/documentation/authentication_signatures).
 */
export function signatureOf(fields: Record<string, string>, secret: string): string {
  const signed = Object.entries(fields)
    .filter(([, value]) => value !== '')
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
  return createHash('sha1')
    .update(signed + secret)
    .digest('hex')
}
