import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { BackupError } from './backup-error.ts'
import type { BackupKey, Keyring } from './backup-key.ts'

/*
 * The format of everything that is backed up:
 *
 *   header   magic "BNC1" (4 bytes), id of the key (4), salt (16)
 *   chunks   ciphertext of 1 MiB, the last one of 0 bytes to 1 MiB, each followed by its tag (16)
 *
 * AES-256-GCM with a key of its own for each stream, derived from salt and name, so that the nonce can be the number of
 * the chunk. The nonce also contains whether the chunk is the last one, so that a stream that was cut off is refused. A
 * stream under the name of another one is refused because its key differs.
 */
const MAGIC = Buffer.from('BNC1')
const HEADER = 24
const CHUNK = 1024 * 1024
const TAG = 16

/** Encrypts a stream. @param name the name under which it is stored */
export async function* seal(
  source: AsyncIterable<Uint8Array>,
  key: BackupKey,
  name: string,
): AsyncGenerator<Buffer> {
  const header = Buffer.concat([MAGIC, Buffer.from(key.id, 'hex'), randomBytes(16)])
  const streamKey = derive(key, header, name)
  yield header
  let number = 0
  const encrypt = (chunk: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', streamKey, nonceOf(number++, isLast))
    cipher.setAAD(header)
    return Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
  const pieces = createPieces()
  for await (const piece of source) {
    pieces.add(piece)
    while (pieces.size > CHUNK) yield encrypt(pieces.take(CHUNK), false)
  }
  yield encrypt(pieces.take(pieces.size), true)
}

/**
 * Decrypts a stream. What it yields is authentic, but complete only when it ends without an error.
 *
 * @throws BackupError `damaged` when a byte differs, something is missing or added, or the stream has another name;
 * `key_unusable` when no key of the ring fits
 */
export async function* unseal(
  source: AsyncIterable<Uint8Array>,
  keys: Keyring,
  name: string,
): AsyncGenerator<Buffer> {
  const pieces = createPieces()
  let opened: { header: Buffer; streamKey: Buffer } | undefined
  let number = 0
  const decrypt = (sealed: Buffer, isLast: boolean) => {
    if (!opened || sealed.length < TAG) throw damaged(name)
    const nonce = nonceOf(number++, isLast)
    const decipher = createDecipheriv('aes-256-gcm', opened.streamKey, nonce)
    decipher.setAAD(opened.header)
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG))
    try {
      return Buffer.concat([
        decipher.update(sealed.subarray(0, sealed.length - TAG)),
        decipher.final(),
      ])
    } catch (error) {
      throw damaged(name, error)
    }
  }
  for await (const piece of source) {
    pieces.add(piece)
    if (!opened && pieces.size >= HEADER) {
      const header = pieces.take(HEADER)
      opened = { header, streamKey: derive(keyFor(header, keys, name), header, name) }
    }
    while (pieces.size > CHUNK + TAG) yield decrypt(pieces.take(CHUNK + TAG), false)
  }
  yield decrypt(pieces.take(pieces.size), true)
}

function derive(key: BackupKey, header: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key.bytes, header, `bancone backup ${name}`, 32))
}

function keyFor(header: Buffer, keys: Keyring, name: string): BackupKey {
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged(name)
  const id = header.subarray(MAGIC.length, 8).toString('hex')
  const key = keys.find((each) => each.id === id)
  if (key) return key
  throw new BackupError(
    'key_unusable',
    `The back-up was encrypted with the key ${id}, and the one given is ${keys[0].id}: ` +
      'use the recovery sheet of that key.',
  )
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUInt8(isLast ? 1 : 0, 0)
  nonce.writeUIntBE(number, 6, 6)
  return nonce
}

function damaged(name: string, cause?: unknown): BackupError {
  return new BackupError('damaged', `The back-up is damaged or incomplete at ${name}.`, { cause })
}

/** Bytes that arrive in pieces and are taken in others, each copied once. */
function createPieces() {
  let waiting: Uint8Array[] = []
  let size = 0
  return {
    get size() {
      return size
    },
    add(piece: Uint8Array) {
      waiting.push(piece)
      size += piece.byteLength
    },
    take(bytes: number): Buffer {
      const taken = Buffer.allocUnsafe(bytes)
      let filled = 0
      let used = 0
      while (filled < bytes) {
        const piece = waiting[used]
        if (!piece) throw new Error('more bytes taken than added')
        const part = piece.subarray(0, bytes - filled)
        taken.set(part, filled)
        filled += part.byteLength
        if (part.byteLength === piece.byteLength) used += 1
        else waiting[used] = piece.subarray(part.byteLength)
      }
      waiting = waiting.slice(used)
      size -= bytes
      return taken
    },
  }
}
