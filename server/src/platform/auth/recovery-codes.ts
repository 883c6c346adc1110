import { createHmac, randomInt } from 'node:crypto'

/** Nothing that looks like something else when it is copied by hand. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

/** In two halves with a dash between: about 50 bits. */
const HALF = 5

export function newRecoveryCode(): string {
  const letters = Array.from({ length: 2 * HALF }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  )
  return `${letters.slice(0, HALF).join('')}-${letters.slice(HALF).join('')}`
}

/** What was typed, with or without dash and spaces, in any case; null when it can be no code. */
export function readRecoveryCode(typed: string): string | null {
  const letters = typed.toLowerCase().replaceAll(/[\s\-–—]/g, '')
  return new RegExp(`^[${ALPHABET}]{${2 * HALF}}$`).test(letters) ? letters : null
}

/** What the database keeps of it: worth nothing without the server's key, nor with another user. */
export function recoveryCodeHash(key: Buffer, userId: string, letters: string): Buffer {
  return createHmac('sha256', key).update(`${userId}.${letters}`).digest()
}
