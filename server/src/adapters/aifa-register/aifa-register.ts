import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline as callbackPipeline, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { Medicine, SupplyClass } from '@bancone/contract/medicines'
import { parseMinsan } from '@bancone/contract/minsan'
import { wellFormedText } from '@bancone/contract/well-formed-text'
import { z } from 'zod'
import { type MedicineRegister, MedicineRegisterError } from '../../ports/medicine-register.ts'

/** The words of the register, the most special first: each text contains the words of a more general one. */
const words: readonly [RegExp, SupplyClass | null][] = [
  [/non soggett\w+ a prescrizione.*non da banco/, 'SOP'],
  [/non soggett\w+ a prescrizione.*da banco/, 'OTC'],
  [/non soggett/, null],
  [/ricetta ministeriale|prescrizione medica speciale/, 'RMR'],
  [/esclusivamente in ambiente ospedaliero/, 'OSP'],
  [/esclusivamente da\w* specialist/, 'USPL'],
  [/limitativa.*da rinnovare|da rinnovare.*limitativa/, 'RNRL'],
  [/limitativa/, 'RRL'],
  [/da rinnovare/, 'RNR'],
  [/soggett\w+ a prescrizione/, 'RR'],
]

/** The class of the column FORNITURA; null for any other text. */
export function supplyClassOf(text: string): SupplyClass | null {
  const plain = text.toLowerCase()
  return words.find(([pattern]) => pattern.test(plain))?.[1] ?? null
}

export type AifaRegisterOptions = {
  /** The address of the file (`http:`, `https:`), or the file itself (`file:`). */
  url: string
  fetch: typeof globalThis.fetch
  /** Reserves a path for the download, whose file is removed on disposal. */
  temporaryFiles: { create(): Promise<AsyncDisposable & { path: string }> }
  /** For the download, in milliseconds. */
  timeLimitMs?: number
  sizeLimit?: number
}

/** The file has some 80 MB. */
const SIZE_LIMIT = 300 * 1024 * 1024
const TIME_LIMIT_MS = 10 * 60_000
const MAX_RECORD_CHARACTERS = 100_000

const Row = z.object({
  CODICE_AIC: z.string(),
  DENOMINAZIONE: z.string().trim(),
  DESCRIZIONE: z.string().trim(),
  STATO_AMMINISTRATIVO: z.string().trim(),
  FORNITURA: z.string(),
})

/** AIFA's list of packs with their supply (`confezioni_fornitura.csv`): `;`, doubled quotes, UTF-8 or Windows-1252. */
export function createAifaRegister(options: AifaRegisterOptions): MedicineRegister {
  const { url, temporaryFiles, sizeLimit = SIZE_LIMIT, timeLimitMs = TIME_LIMIT_MS } = options

  /** To a file first: the encoding is known only when all of it has been read. */
  async function download(path: string, given: AbortSignal | undefined) {
    const limit = AbortSignal.timeout(timeLimitMs)
    const signal = given ? AbortSignal.any([given, limit]) : limit
    try {
      const reply = await options.fetch(url, { signal })
      if (reply.status !== 200 || !reply.body) {
        throw new MedicineRegisterError('unreachable', `the register answered ${reply.status}`)
      }
      await pipeline(reply.body, bounded(sizeLimit), createWriteStream(path, { mode: 0o600 }), {
        signal,
      })
    } catch (error) {
      if (error instanceof MedicineRegisterError) throw error
      throw new MedicineRegisterError('unreachable', 'the register was not read', { cause: error })
    }
  }

  return {
    async *packs(signal) {
      if (!url.startsWith('file:')) {
        await using file = await temporaryFiles.create()
        await download(file.path, signal)
        yield* packsIn(file.path, signal)
        return
      }
      const path = fileURLToPath(url)
      const found = await stat(path).catch((cause: unknown) => {
        throw new MedicineRegisterError('unreachable', 'there is no such file', { cause })
      })
      if (found.size > sizeLimit) throw tooLarge(sizeLimit)
      yield* packsIn(path, signal)
    },
  }
}

function tooLarge(sizeLimit: number) {
  return new MedicineRegisterError('too_large', `more than ${sizeLimit} bytes`)
}

function bounded(sizeLimit: number) {
  return async function* (source: AsyncIterable<Uint8Array>) {
    let bytes = 0
    for await (const piece of source) {
      bytes += piece.byteLength
      if (bytes > sizeLimit) throw tooLarge(sizeLimit)
      yield piece
    }
  }
}

async function* packsIn(path: string, signal: AbortSignal | undefined): AsyncIterable<Medicine> {
  const { CsvError, parse } = await import('csv-parse')
  const texts = (await isUtf8(path)) ? utf8(path) : windows1252(path)
  const parser = parse({
    delimiter: ';',
    columns: knownColumns,
    relax_column_count: true,
    max_record_size: MAX_RECORD_CHARACTERS,
  })
  callbackPipeline(Readable.from(texts), parser, () => {})
  try {
    for await (const record of parser) {
      signal?.throwIfAborted()
      const pack = packOf(record)
      if (pack) yield pack
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new MedicineRegisterError('malformed', error.message, { cause: error })
  }
}

function knownColumns(header: string[]): string[] {
  const missing = Object.keys(Row.shape).filter((column) => !header.includes(column))
  if (missing.length === 0) return header
  throw new MedicineRegisterError('malformed', `columns are missing: ${missing.join(', ')}`)
}

/** Rows that are cut off or have no AIC are left out; an import that loses many of them is refused for its size. */
function packOf(record: unknown): Medicine | undefined {
  const row = Row.safeParse(record).data
  if (!row) return undefined
  const code = parseMinsan(row.CODICE_AIC)
  if (code?.check !== 'valid') return undefined
  return {
    code: code.code,
    name: row.DENOMINAZIONE,
    pack: row.DESCRIZIONE,
    supply: supplyClassOf(row.FORNITURA),
    authorised: /^autorizzat/i.test(row.STATO_AMMINISTRATIVO),
  }
}

async function isUtf8(path: string): Promise<boolean> {
  try {
    const texts = utf8(path)[Symbol.asyncIterator]()
    while (!(await texts.next()).done) continue
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

async function* utf8(path: string): AsyncIterable<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const bytes: AsyncIterable<Uint8Array> = createReadStream(path)
  for await (const piece of bytes) yield wellFormedText(decoder.decode(piece, { stream: true }))
  yield decoder.decode()
}

/** By a library, because the decoder of Node 20 reads this encoding as ISO 8859-1. */
async function* windows1252(path: string): AsyncIterable<string> {
  const { decode } = await import('iconv-lite')
  const bytes: AsyncIterable<Uint8Array> = createReadStream(path)
  for await (const piece of bytes) yield wellFormedText(decode(piece, 'windows-1252'))
}
