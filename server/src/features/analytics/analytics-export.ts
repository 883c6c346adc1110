import type { AnalyticsTable, downloadAnalytics } from '@bancone/contract/analytics'
import type { Day } from '@bancone/contract/dates'
import type { ExportFormat } from '@bancone/contract/order-exports'
import type { z } from 'zod'
import { AppError } from '../../base/app-error.ts'
import type { ServedFile } from '../../http/serve.ts'
import { csvFile } from '../../platform/spreadsheets/csv-file.ts'
import { xlsxFile } from '../../platform/spreadsheets/xlsx-file.ts'
import type { AnalyticsOwner, AnalyticsService } from './analytics.service.ts'
import {
  arrivalsTable,
  hoursTable,
  offersTable,
  ordersTable,
  overviewTable,
  pickupsTable,
  sharesTable,
  waitsTable,
} from './analytics-tables.rules.ts'

type Asked = z.output<typeof downloadAnalytics.query>

const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

const sheetNames: Record<AnalyticsTable, string> = {
  panoramica: 'Panoramica',
  ore: 'Ore',
  provenienza: 'Provenienza',
  offerte: 'Offerte',
  ordini: 'Ordini',
  arrivi: 'Arrivi',
  attese: 'Attese',
  ritiro: 'Ritiro',
}

/** '25.10.26', which the name of a sheet may contain. */
function shortDay(day: Day): string {
  const [year = '', month, date] = day.split('-')
  return `${date}.${month}.${year.slice(2)}`
}

/**
 * A table of analytics as a file, with the figures that the page shows.
 *
 * @throws AppError `analytics.failed`
 */
export async function exportAnalytics(
  analytics: AnalyticsService,
  owner: AnalyticsOwner,
  asked: Asked,
): Promise<ServedFile> {
  const { tabella, formato, dal, al } = asked
  const table = await tableOf(analytics, owner, asked)
  if (table === null) throw new AppError('analytics.failed')
  const { columns, rows } = table
  // The rows of most tables have no days.
  const sheetName = `${sheetNames[tabella]} ${shortDay(dal)}–${shortDay(al)}`
  async function* batches() {
    yield rows
  }
  return {
    name: `analytics-${tabella}-${dal}-${al}.${formato}`,
    type: contentTypes[formato],
    async open() {
      const parts =
        formato === 'csv' ? csvFile(columns, batches()) : xlsxFile(sheetName, columns, [batches()])
      return { parts, signal: new AbortController().signal }
    },
  }
}

async function tableOf(analytics: AnalyticsService, owner: AnalyticsOwner, asked: Asked) {
  const traffic = () => analytics.traffic(owner, asked)
  switch (asked.tabella) {
    case 'panoramica':
      return overviewTable(await analytics.overview(owner, asked))
    case 'ordini':
      return ordersTable(await analytics.overview(owner, asked))
    case 'ore':
      return hoursTable(await traffic())
    case 'provenienza':
      return sharesTable(await traffic())
    case 'offerte':
      return offersTable(await traffic())
    case 'arrivi':
      return arrivalsTable(await analytics.orders(owner, asked))
    case 'attese':
      return waitsTable(await analytics.orders(owner, asked))
    case 'ritiro':
      return pickupsTable(await analytics.orders(owner, asked))
  }
}
