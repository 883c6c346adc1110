import { randomBytes } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** More letters than those of the store have: none of them can be one of these. */
const ID_LENGTH = 17

/** The record id of an order that has none of its store, or not yet. */
export function newRecordId(): string {
  // Those that would make some letters likelier than others are left out.
  const bytes = [...randomBytes(4 * ID_LENGTH)].filter((byte) => byte < 4 * LETTERS.length)
  const letters = bytes.slice(0, ID_LENGTH).map((byte) => LETTERS.charAt(byte % LETTERS.length))
  return `rec${letters.join('')}`
}
