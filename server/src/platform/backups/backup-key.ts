import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { writePrivateFile } from '../../base/secret-file.ts'
import { escapeHtml } from '../html.ts'
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
const CONFIRMING_CHARACTERS = 8

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

/** The key as text, or the path of its file. */
export type KeySource = { text: string } | { file: string }

/** Reads the keys anew, so that a file that is gone is noticed. @throws BackupError `key_unusable` */
export async function loadKeys(source: KeySource): Promise<Keyring> {
  if ('text' in source) return readKeys(source.text)
  const text = await readFile(source.file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    throw new BackupError(
      'key_unusable',
      `The key of the back-ups cannot be read (${reason}): ${source.file}.`,
      { cause: error },
    )
  })
  return readKeys(text)
}

/** Makes the key file when there is none. @returns whether it was made */
export async function makeKeyFile(source: KeySource): Promise<boolean> {
  if ('text' in source) return false
  try {
    await writePrivateFile(source.file, newKeyText())
    return true
  } catch (error) {
    // An existing file, or a folder that cannot be written: reading it says why.
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

/**
 * A page to be printed, with what a person needs who has nothing else but the place of the back-ups.
 *
 * @param place the place as in BACKUP_TO
 */
export function recoverySheet(keyId: string, key: string, place: string): string {
  return `<!doctype html>
<html lang="it">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Scheda di recupero ${keyId}</title>
<style>
  body { font: 12pt/1.5 system-ui, sans-serif; color: #111; background: #fff; max-width: 42rem; margin: 2rem auto; padding: 0 1rem }
  h1 { font-size: 18pt; margin: 0 0 .25rem }
  h2 { font-size: 13pt; margin: 1.5rem 0 .25rem }
  code { font: 11pt/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
  .key { border: 1.5pt solid #111; padding: 1rem; margin: 1rem 0; font-size: 14pt }
  .key code { font-size: 14pt; letter-spacing: .04em }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem }
  dd { margin: 0; overflow-wrap: anywhere }
</style>
</head>
<body>
<h1>Scheda di recupero delle copie di sicurezza</h1>
<p>Senza questa chiave nessuno può leggere le copie di sicurezza di Bancone, nemmeno chi le ha fatte. Stampa la scheda, conservala lontano dal server e cancella il file.</p>
<div class="key"><code>${key}</code></div>
<dl>
<dt>Codice della chiave</dt><dd><code>${keyId}</code></dd>
<dt>Dove sono le copie</dt><dd><code>${escapeHtml(place)}</code></dd>
</dl>
<h2>Per ripristinare su una macchina nuova</h2>
<ol>
<li>Installa Node.js e lo stesso programma Bancone (stessa versione o una più nuova, con la stessa versione principale di PostgreSQL).</li>
<li>Scrivi la chiave in un file, per esempio <code>/root/chiave</code>, e imposta <code>BACKUP_KEY_FILE=/root/chiave</code>. Maiuscole, spazi e trattini non contano.</li>
<li>Se le copie sono in un bucket S3, imposta <code>S3_ENDPOINT</code>, <code>S3_REGION</code>, <code>S3_ACCESS_KEY_ID</code> e <code>S3_SECRET_ACCESS_KEY</code>.</li>
<li><code>npm run restore -- --from "${escapeHtml(place)}" --into /cartella/nuova</code><br>
Per tornare a un momento preciso (ora italiana) aggiungi <code>--until "2026-11-22 10:00"</code>.</li>
<li>Avvia il server con <code>DATA_DIR=/cartella/nuova</code> e le altre impostazioni di prima (<code>PUBLIC_URL</code>, <code>AIRTABLE_TOKEN</code>, <code>SMTP_URL</code> e così via: non sono nelle copie). Gli accessi sono quelli di prima.</li>
</ol>
<p>Il ripristino vuole una cartella vuota e non tocca quella vecchia.</p>
</body>
</html>
`
}
