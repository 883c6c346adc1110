import {
  ImportField,
  importHeadings,
  REASON_HEADING,
  type RowProblem,
} from '@bancone/contract/pharmacy-imports'
import { stringify } from 'csv-stringify/sync'
import type { ServedFile } from '../../http/serve.ts'
import { spreadsheetText, telephone } from '../../platform/csv.ts'
import { fieldOf } from './import-cells.rules.ts'

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
