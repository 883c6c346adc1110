import { readFile } from 'node:fs/promises'
import {
  downloadAnalytics,
  getAnalytics,
  getOrderAnalytics,
  getPresentVisitors,
} from '@bancone/contract/analytics'
import {
  addAnalyticsNote,
  changeAnalyticsNote,
  removeAnalyticsNote,
} from '@bancone/contract/analytics-notes'
import { changeAnalyticsSettings, getAnalyticsSettings } from '@bancone/contract/analytics-settings'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import type { AppModule } from '../../http/app-module.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import type { Mailer } from '../../ports/mailer.ts'
import { type DrawingRenderer, PictureRendererError } from '../../ports/picture-renderer.ts'
import {
  type AnalyticsDependencies,
  type AnalyticsOwner,
  createAnalytics,
} from './analytics.service.ts'
import { exportAnalytics } from './analytics-export.ts'
import { createAnalyticsSettingsStore } from './analytics-settings.store.ts'
import { createNotesStore } from './notes.store.ts'
import { weeklyMailTasks } from './weekly-mail/weekly-mail.service.ts'

type Dependencies = AnalyticsDependencies & {
  /** The pharmacy of a weekly mail; undefined when it does not exist. */
  pharmacy(pharmacyId: string): Promise<AnalyticsOwner | undefined>
  /** How many offers the public page of a pharmacy shows now. */
  shownOffers(code: string): Promise<number>
  /** How many orders are ready and not collected now, and how many of them are overdue. */
  ordersToCollect(owner: AnalyticsOwner): Promise<{ toCollect: number; overdue: number }>
  mailer: Mailer
  drawings: DrawingRenderer
  temporaryFiles: TemporaryFiles
  settings: { publicUrl: string }
}

/** Wires the page of analytics. */
export function wireAnalytics(dependencies: Dependencies): AppModule {
  const { db, drawings, temporaryFiles } = dependencies
  const notes = createNotesStore(db)
  const settings = createAnalyticsSettingsStore(db)
  const analytics = createAnalytics(dependencies, notes, settings)
  return {
    routes({ serve, serveFile }) {
      serve(getAnalytics, ({ query }, { pharmacy }) => analytics.overview(pharmacy, query))

      serve(getTraffic, ({ query }, { pharmacy }) => analytics.traffic(pharmacy, query))

      serve(getOrderAnalytics, ({ query }, { pharmacy }) => analytics.orders(pharmacy, query))

      serve(getPresentVisitors, (_input, { pharmacy }) => analytics.present(pharmacy.id))

      serveFile(downloadAnalytics, ({ query }, { pharmacy }) =>
        exportAnalytics(analytics, pharmacy, query),
      )

      serve(addAnalyticsNote, ({ body }, { pharmacy }) => notes.add(pharmacy.id, body))

      serve(changeAnalyticsNote, ({ params, body }, { pharmacy }) =>
        notes.change(pharmacy.id, params.analyticsNoteId, body),
      )

      serve(removeAnalyticsNote, async ({ params }, { pharmacy }) => {
        await notes.remove(pharmacy.id, params.analyticsNoteId)
        return {}
      })

      serve(getAnalyticsSettings, (_input, { pharmacy }) => settings.of(pharmacy.id))

      serve(changeAnalyticsSettings, ({ body }, { pharmacy }) => settings.change(pharmacy.id, body))
    },
    tasks: weeklyMailTasks({
      ...dependencies,
      analytics,
      settings,
      chartPng: (svg) => pngOf(svg, drawings, temporaryFiles),
      publicUrl: dependencies.settings.publicUrl,
    }),
  }
}

async function pngOf(svg: string, drawings: DrawingRenderer, temporaryFiles: TemporaryFiles) {
  await using file = await temporaryFiles.create()
  const rendered = await drawings.renderDrawing(svg, file.path, { priority: 'background' })
  if (rendered === 'unreadable') throw new PictureRendererError('a chart could not be rendered')
  return await readFile(file.path)
}
