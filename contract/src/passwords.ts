/** What a password must be, for the form that asks for one and the server that decides. */

/** Characters, as a person counts them. */
export const MIN_PASSWORD_LENGTH = 10

/** Longer ones are refused rather than cut. */
export const MAX_PASSWORD_BYTES = 72

export function isLongEnough(password: string): boolean {
  return Array.from(password).length >= MIN_PASSWORD_LENGTH
}

export function isTooLong(password: string): boolean {
  return new TextEncoder().encode(password).length > MAX_PASSWORD_BYTES
}
