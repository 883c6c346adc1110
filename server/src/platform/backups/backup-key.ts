import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { BackupError } from './backup-error.ts'

/** A key that encrypts back-ups: 32 random bytes. */
export type BackupKey = {
  /** Eight hex digits that name the key in file headers, on the recovery sheet and on the page. Not secret. */
  id: string
  bytes: Buffer
}

/** The first key encrypts; all of them decrypt. */
export type Keyring = readonly [BackupKey, ...BackupKey[]]

/** Base32 of RFC 4648: no character is easily mistaken for another one of the alphabet. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

const KEY_BYTES = 32
const GROUP = 4

/** The number of characters that confirm the recovery sheet. They are the last ones of the key. */
export const CONFIRMING_CHARACTERS = 8

/** A new key as text. */
export function newKeyText(): string {
  return textOfKey(keyOf(randomBytes(KEY_BYTES)))
}

/** The key as text, in 13 groups of four characters with hyphens between them. */
export function textOfKey({ bytes }: BackupKey): string {
  return (base32(bytes).match(new RegExp(`.{1,${GROUP}}`, 'g')) ?? []).join('-')
}

/**
 * Reads the keys of a key file or of BACKUP_KEY: one a line, the current one first. Spaces, hyphens and lower case are
 * accepted, because a key may have been copied from paper.
 *
 * @throws BackupError `key_unusable`
 */
export function readKeys(text: string): Keyring {
  const [first, ...rest] = text
    .split(/[\r\n]+/)
    .map((line) => line.replace(/[\s-]/g, '').toUpperCase())
    .filter((line) => line !== '')
    .map((line) => keyOf(fromBase32(line)))
  if (!first) throw new BackupError('key_unusable', 'The key is empty.')
  return [first, ...rest]
}

/** Whether the typed text is the end of the key, as the recovery sheet shows it. */
export function confirmsKey({ bytes }: BackupKey, typed: string): boolean {
  const expected = Buffer.from(base32(bytes).slice(-CONFIRMING_CHARACTERS))
  const given = Buffer.from(typed.replace(/[\s-]/g, '').toUpperCase())
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function keyOf(bytes: Buffer): BackupKey {
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, 8), bytes }
}

function base32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(value >>> (bits - 5)) & 31]
    value &= (1 << bits) - 1
  }
  return bits === 0 ? text : text + ALPHABET[(value << (5 - bits)) & 31]
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const character of text) {
    const digit = ALPHABET.indexOf(character)
    if (digit < 0) throw new BackupError('key_unusable', 'The key has characters that no key has.')
    value = (value << 5) | digit
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >>> bits) & 255)
    value &= (1 << bits) - 1
  }
  const key = Buffer.from(bytes)
  // The last character carries bits that must be zero: a mistyped one is found.
  if (key.length !== KEY_BYTES || base32(key) !== text) {
    throw new BackupError('key_unusable', 'The key is not complete, or was mistyped.')
  }
  return key
}
