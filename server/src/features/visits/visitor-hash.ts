import { createHmac } from 'node:crypto'

/** 132 bits: no two visitors of a day have the same. */
const LENGTH = 22

/**
 * What stands for a visitor in the place of an address. Who does not have the salt cannot find out of whom it
 * is, nor whether two are of one; the salt is gone after its day.
 */
export function visitorHash(salt: Buffer, ...parts: string[]): string {
  // As a list, so that no two lists make one text.
  const text = JSON.stringify(parts)
  return createHmac('sha256', salt).update(text).digest('base64url').slice(0, LENGTH)
}
