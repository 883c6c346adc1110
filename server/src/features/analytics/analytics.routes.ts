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
import type { Http } from '../../http/app-module.ts'
import type { AnalyticsService } from './analytics.service.ts'
import { exportAnalytics } from './analytics-export.ts'
import type { AnalyticsSettingsStore } from './analytics-settings.store.ts'
import type { NotesStore } from './notes.store.ts'

type Handlers = {
  analytics: AnalyticsService
  notes: NotesStore
  settings: AnalyticsSettingsStore
}

export function analyticsRoutes(
  { serve, serveFile }: Pick<Http, 'serve' | 'serveFile'>,
  { analytics, notes, settings }: Handlers,
) {
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
}
