import { randomBytes } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Longer than the ids of the source, so that the two cannot collide. */
const ID_LENGTH = 17

/** A record id for an order that has none from the source, or not yet. */
export function newRecordId(): string {
  // Bytes beyond a multiple of the alphabet's length are dropped, so that all letters are equally likely.
  const bytes = [...randomBytes(4 * ID_LENGTH)].filter((byte) => byte < 4 * LETTERS.length)
  const letters = bytes.slice(0, ID_LENGTH).map((byte) => LETTERS.charAt(byte % LETTERS.length))
  return `rec${letters.join('')}`
}
