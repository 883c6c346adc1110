import { readFile } from 'node:fs/promises'
import type { Day } from '@bancone/contract/dates'
import type { Freshness } from '@bancone/contract/order-health'
import type { PriorityReport } from '@bancone/contract/priority-report'
import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import type { Clock } from '../../ports/clock.ts'
import type { DrawingRenderer } from '../../ports/drawing.ts'
import type { Log } from '../../ports/log.ts'
import type { Mailer } from '../../ports/mailer.ts'
import { PictureRendererError } from '../../ports/picture-renderer.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { type AnalyticsOwner, createAnalytics } from './analytics.service.ts'
import { createAnalyticsSettingsStore } from './analytics-settings.store.ts'
import { readArrivalFigures, readArrivals } from './arrival-figures.store.ts'
import { readVisits } from './live-visits.store.ts'
import { createNotesStore } from './notes.store.ts'
import { readOrderFigures, readOrders } from './order-figures.store.ts'
import { readOrderWaits } from './order-waits.store.ts'
import { createTrafficStore } from './traffic.store.ts'
import { readVisitFigures } from './visit-figures.store.ts'
import { weeklyMailTasks } from './weekly-mail/weekly-mail.service.ts'
import { createWeeklyMailStore } from './weekly-mail/weekly-mail.store.ts'

type Dependencies = {
  db: Database
  /** Makes the copy of the orders fresh, where they are in Airtable. */
  refreshOrders(owner: AnalyticsOwner): Promise<Freshness>
  /** Adds what is queued to the figures. */
  fold(): Promise<void>
  /** How long those who arrived with priority access waited. */
  priorityReport(pharmacyId: string, from: Day, to: Day): Promise<PriorityReport>
  /** The pharmacy of a weekly mail; undefined when it does not exist. */
  pharmacy(pharmacyId: string): Promise<AnalyticsOwner | undefined>
  /** How many offers the public page of a pharmacy shows now. */
  shownOffers(code: string): Promise<number>
  mailer: Mailer
  drawings: DrawingRenderer
  temporaryFiles: TemporaryFiles
  settings: { publicUrl: string }
  clock: Clock
  log: Pick<Log, 'info' | 'warn'>
}

/** Wires the page of analytics. */
export function wireAnalytics(dependencies: Dependencies): AppModule {
  const { db, drawings, temporaryFiles } = dependencies
  const notes = createNotesStore(db)
  const settings = createAnalyticsSettingsStore(db)
  const analytics = createAnalytics({
    ...dependencies,
    visits: { figures: readVisitFigures(db), live: readVisits(db) },
    orders: { figures: readOrderFigures(db), live: readOrders(db) },
    arrivals: {
      figures: (pharmacyId, days) => readArrivalFigures(db, pharmacyId, days),
      live: (pharmacyId, days) => readArrivals(db, pharmacyId, days),
    },
    traffic: createTrafficStore(db),
    notes,
    settings,
    waits: (pharmacyId, days) => readOrderWaits(db, pharmacyId, days),
  })
  return {
    routes: (http) => analyticsRoutes(http, { analytics, notes, settings }),
    tasks: weeklyMailTasks({
      ...dependencies,
      analytics,
      store: createWeeklyMailStore(db),
      chartPng: (svg) => pngOf(svg, drawings, temporaryFiles),
      publicUrl: dependencies.settings.publicUrl,
    }),
  }
}

async function pngOf(
  svg: string,
  drawings: DrawingRenderer,
  temporaryFiles: TemporaryFiles,
): Promise<Uint8Array> {
  await using file = await temporaryFiles.create()
  const rendered = await drawings.renderDrawing(svg, file.path, { priority: 'background' })
  if (rendered === 'unreadable') throw new PictureRendererError('a chart could not be rendered')
  return await readFile(file.path)
}
