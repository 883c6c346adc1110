import {
  ImportField,
  importHeadings,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  REASON_HEADING,
  type RowProblem,
} from '@bancone/contract/pharmacy-imports'
import { CsvError, parse } from 'csv-parse/sync'
import { stringify } from 'csv-stringify/sync'
import { decode } from 'iconv-lite'
import { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { ServedFile } from '../../http/serve.ts'
import { originalText, spreadsheetText, telephone } from '../../platform/csv.ts'
import { type Cells, fieldOf, isSameHeading } from './import-cells.rules.ts'

/** A row of a file. `line`: as a spreadsheet numbers it, so that the first below the headings is 2. */
export type FileRow = {
  line: number
  /** In the order of the headings. */
  cells: string[]
  fields: Cells
  /** Whether it has more cells than there are headings. */
  isTooLong: boolean
}

type ImportFile = { headings: string[]; ignored: string[]; rows: FileRow[] }

const Records = z.array(z.array(z.string()))

/**
 * Reads a CSV file: UTF-8 or Windows-1252, separated by semicolons or commas, or as its first line `sep=…` says.
 *
 * @throws AppError of what makes the file as a whole unusable
 */
export function readImportFile(bytes: Uint8Array): ImportFile {
  const [{ cells: header } = { cells: [] }, ...records] = recordsOf(textOf(bytes))
  if (header.length > MAX_IMPORT_COLUMNS) throw new AppError('pharmacy_imports.too_many_columns')
  const reason = header.findIndex((heading) => isSameHeading(heading, REASON_HEADING))
  const kept = <T>(cells: readonly T[]) => cells.filter((_cell, column) => column !== reason)
  const headings = kept(header)
  const named = headings.map((heading) => fieldOf(heading))
  // Of two columns with one heading the first counts.
  const fields = named.map((field, column) => (named.indexOf(field) === column ? field : undefined))
  if (!fields.includes('pharmacy_id') && !fields.includes('email')) {
    throw new AppError('pharmacy_imports.missing_columns')
  }
  const rows = records.map(({ line, cells }) => rowOf(kept(cells), line, fields))
  if (rows.length === 0) throw new AppError('pharmacy_imports.empty')
  const ignored = headings.filter((heading, column) => !fields[column] && heading.trim() !== '')
  return { headings, ignored, rows }
}

function rowOf(
  record: readonly string[],
  line: number,
  columns: readonly (ImportField | undefined)[],
): FileRow {
  const texts = record.map((cell) => originalText(cell.trim()).trim())
  const fields: Cells = {}
  for (const [column, field] of columns.entries()) {
    if (field && texts[column]) fields[field] = texts[column]
  }
  return { line, cells: texts, fields, isTooLong: texts.length > columns.length }
}

function textOf(bytes: Uint8Array): string {
  // A NUL is in no text of these encodings, but in every workbook and in UTF-16.
  if (bytes.includes(0)) throw new AppError('pharmacy_imports.unreadable')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // By a library, because the decoder of Node 20 reads this encoding as ISO 8859-1.
    return decode(bytes, 'windows-1252')
  }
}

const isEmpty = (cell: string) => cell.trim() === ''

/**
 * The records that are not empty, without the empty cells at their ends.
 *
 * @throws AppError when they are too many, before all of them have been read
 */
function recordsOf(text: string): { line: number; cells: string[] }[] {
  // Excel takes this line for no row.
  const [mark = '', separator] = /^sep=([^"\r\n])[^\r\n]*(?:\r\n|\n|\r|$)/i.exec(text) ?? []
  const table = text.slice(mark.length)
  const [first = ''] = table.split(/\r?\n|\r/, 1)
  const usual = first.split(';').length >= first.split(',').length ? ';' : ','
  const lines: number[] = []
  let line = 0
  function numbered(cells: string[]) {
    line += 1
    const length = cells.findLastIndex((cell) => !isEmpty(cell)) + 1
    if (length === 0) return null
    // The headings are one of them.
    if (lines.push(line) > MAX_IMPORT_ROWS + 1) throw new AppError('pharmacy_imports.too_many_rows')
    return cells.slice(0, length)
  }
  try {
    const records = Records.parse(
      parse(table, {
        delimiter: separator ?? usual,
        bom: true,
        relax_column_count: true,
        record_delimiter: ['\r\n', '\n', '\r'],
        on_record: numbered,
      }),
    )
    return records.map((cells, index) => ({ line: lines[index] ?? 0, cells }))
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    // A quotation that is never closed ends at the end of the file: the row in which it begins is the one to mend.
    throw unreadableRow(line + 1, cause)
  }
}

function unreadableRow(line: number, cause: CsvError): AppError {
  const text = `Nella riga ${line} c'è una virgoletta (") di troppo, o che non si chiude: toglila, oppure scrivila due volte in una cella tra virgolette.`
  return new AppError('pharmacy_imports.unreadable', { text, details: { line }, cause })
}

/** As the Italian version of Excel writes and reads it. */
const written = { delimiter: ';', record_delimiter: 'windows' as const }

export type RefusedRow = { cells: string[]; problems: RowProblem[] }

/** The refused rows as they were sent, with the reasons in the first column. */
export function refusedFile(
  headings: readonly string[],
  batches: AsyncIterable<readonly RefusedRow[]>,
): ServedFile {
  const isPhone = headings.map((heading) => fieldOf(heading) === 'phone')
  async function* parts() {
    yield stringify([[REASON_HEADING, ...headings].map(spreadsheetText)], { ...written, bom: true })
    for await (const rows of batches) {
      const lines = rows.map(({ cells, problems }) => [
        spreadsheetText(reasonOf(problems)),
        ...cells.map((cell, column) => (isPhone[column] ? telephone(cell) : spreadsheetText(cell))),
      ])
      if (lines.length > 0) yield stringify(lines, written)
    }
  }
  return served('farmacie-rifiutate.csv', parts())
}

function reasonOf(problems: readonly RowProblem[]): string {
  return problems
    .map(({ field, text }) => (field ? `${importHeadings[field]}: ${text}` : text))
    .join(' ')
}

const example: Partial<Record<ImportField, string>> = {
  name: 'Farmacia Centrale',
  email: 'titolare@example.it',
  phone: '041 5201234',
  address: 'Via Roma 1, 30121 Venezia VE',
  plan_valid_until: '31/12/2027',
  is_active: 'sì',
  use_supabase_orders: 'Airtable',
}

/** The headings and one example. @param plan the name of a plan, if there is any */
export function templateFile(plan: string | undefined): ServedFile {
  const fields = ImportField.options
  const cells = { ...example, subscription_plan_id: spreadsheetText(plan ?? '') }
  const lines = [
    fields.map((field) => importHeadings[field]),
    fields.map((field) => cells[field] ?? ''),
  ]
  async function* parts() {
    yield stringify(lines, { ...written, bom: true })
  }
  return served('modello-farmacie.csv', parts())
}

function served(name: string, parts: AsyncIterable<string>): ServedFile {
  return {
    name,
    type: 'text/csv; charset=utf-8',
    open: async () => ({ parts, signal: new AbortController().signal }),
  }
}
