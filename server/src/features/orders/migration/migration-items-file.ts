import type { MigrationItem } from '@bancone/contract/migration-runs'
import { stringify } from 'csv-stringify/sync'
import type { ServedFile } from '../../../http/serve.ts'
import { excelCsv, spreadsheetText } from '../../../platform/csv.ts'
import { kindNames } from './migration-texts.rules.ts'

const HEADINGS = ['Record Airtable', 'ID Ordine', 'Esito', 'Colonna', 'Motivo', 'Cosa fare']

/** A CSV file of the records of a run that need attention. @param code of the pharmacy */
export function itemsFile(
  code: string,
  portions: AsyncIterable<readonly MigrationItem[]>,
): ServedFile {
  async function* parts() {
    yield stringify([HEADINGS], { ...excelCsv, bom: true })
    for await (const items of portions) {
      yield stringify(
        items.map((item) =>
          [
            item.recordId,
            item.orderNumber ?? '',
            kindNames[item.kind],
            item.columns.join(', '),
            item.reason,
            item.resolvedAt === null ? item.advice : 'Risolto.',
          ].map(spreadsheetText),
        ),
        excelCsv,
      )
    }
  }
  return {
    name: `migrazione-${code.toLowerCase()}.csv`,
    type: 'text/csv; charset=utf-8',
    open: async () => ({ parts: parts(), signal: new AbortController().signal }),
  }
}
