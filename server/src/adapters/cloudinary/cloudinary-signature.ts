import { createHash } from 'node:crypto'

/**
 * What shows Cloudinary that fields come from somebody who knows the secret: SHA-1 of all of them but the
 * file and the key, by name, with the secret at the end
 * (cloudinary.com/documentation/authentication_signatures).
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
