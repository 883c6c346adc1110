/** The password rules, shared by the form and the server. */

/** In characters (Unicode code points). */
export const MIN_PASSWORD_LENGTH = 10

/** In bytes of UTF-8. Longer passwords are refused instead of truncated. */
export const MAX_PASSWORD_BYTES = 72

export function isLongEnough(password: string): boolean {
  return Array.from(password).length >= MIN_PASSWORD_LENGTH
}

export function isTooLong(password: string): boolean {
  return new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES
}
