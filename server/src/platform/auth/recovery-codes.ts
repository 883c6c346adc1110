import { createHmac, randomInt } from 'node:crypto'

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

/** Two halves with a dash between them: about 50 bits. */
const HALF = 5

export function newRecoveryCode(): string {
  const letters = Array.from({ length: 2 * HALF }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  )
  return `${letters.slice(0, HALF).join('')}-${letters.slice(HALF).join('')}`
}

/** The normalized code: typed with or without dash and spaces, in any case; null when it cannot be a code. */
export function parseRecoveryCode(typed: string): string | null {
  const letters = typed.toLowerCase().replaceAll(/[\s\-–—]/g, '')
  return new RegExp(`^[${ALPHABET}]{${2 * HALF}}$`).test(letters) ? letters : null
}

/** The stored hash. It is keyed, and bound to the user. */
export function recoveryCodeHash(key: Buffer, userId: string, letters: string): Buffer {
  return createHmac('sha256', key).update(`${userId}.${letters}`).digest()
}
