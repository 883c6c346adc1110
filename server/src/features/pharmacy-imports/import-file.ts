import {
  type ImportField,
  MAX_IMPORT_ROWS,
  REASON_HEADING,
} from '@bancone/contract/pharmacy-imports'
import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'
import { AppError } from '../../app-error.ts'
import { withoutApostrophe } from '../../platform/csv.ts'
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

export type ImportFile = { headings: string[]; ignored: string[]; rows: FileRow[] }

const Records = z.array(z.array(z.string()))

/**
 * Reads a CSV file: UTF-8 or Windows-1252, separated by semicolons or commas.
 *
 * @throws AppError of what makes the file as a whole unusable
 */
export function readImportFile(bytes: Uint8Array): ImportFile {
  const [{ cells: header } = { cells: [] }, ...records] = recordsOf(textOf(bytes))
  const reason = header.findIndex((heading) => isSameHeading(heading, REASON_HEADING))
  const kept = <T>(cells: readonly T[]) => cells.filter((_cell, column) => column !== reason)
  const headings = kept(header)
  const fields = headings.map((heading, column) => {
    const field = fieldOf(heading)
    // Of two columns with one heading the first counts.
    const isFirst = headings.findIndex((other) => fieldOf(other) === field) === column
    return field && isFirst ? field : undefined
  })
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
  const texts = record.map((cell) => withoutApostrophe(cell.trim()).trim())
  const fields: Cells = {}
  for (const [column, field] of columns.entries()) {
    if (field && texts[column]) fields[field] = texts[column]
  }
  const isTooLong = texts.slice(columns.length).some((text) => text !== '')
  return { line, cells: texts, fields, isTooLong }
}

function textOf(bytes: Uint8Array): string {
  // A NUL is in no text of these encodings, but in every workbook and in UTF-16.
  if (bytes.includes(0)) throw new AppError('pharmacy_imports.unreadable')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The records that are not empty. @throws AppError when they are too many, before all of them have been read */
function recordsOf(text: string): { line: number; cells: string[] }[] {
  const [first = ''] = text.split(/\r?\n|\r/, 1)
  const delimiter = first.split(';').length >= first.split(',').length ? ';' : ','
  const lines: number[] = []
  let line = 0
  function numbered(cells: string[]) {
    line += 1
    if (cells.every((cell) => cell.trim() === '')) return null
    // The headings are one of them.
    if (lines.push(line) > MAX_IMPORT_ROWS + 1) throw new AppError('pharmacy_imports.too_many_rows')
    return cells
  }
  try {
    const records = Records.parse(
      parse(text, {
        delimiter,
        bom: true,
        relax_column_count: true,
        record_delimiter: ['\r\n', '\n', '\r'],
        on_record: numbered,
      }),
    )
    return records.map((cells, index) => ({ line: lines[index] ?? 0, cells }))
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    throw new AppError('pharmacy_imports.unreadable', { cause })
  }
}
