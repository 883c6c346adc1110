import { readFile } from 'node:fs/promises'
import type { AppModule } from '../../http/app-module.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import type { Mailer } from '../../ports/mailer.ts'
import { type DrawingRenderer, PictureRendererError } from '../../ports/picture-renderer.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import {
  type AnalyticsDependencies,
  type AnalyticsOwner,
  createAnalytics,
} from './analytics.service.ts'
import { createAnalyticsSettingsStore } from './analytics-settings.store.ts'
import { createNotesStore } from './notes.store.ts'
import { weeklyMailTasks } from './weekly-mail/weekly-mail.service.ts'

type Dependencies = AnalyticsDependencies & {
  /** The pharmacy of a weekly mail; undefined when it does not exist. */
  pharmacy(pharmacyId: string): Promise<AnalyticsOwner | undefined>
  /** How many offers the public page of a pharmacy shows now. */
  shownOffers(code: string): Promise<number>
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
    routes: (http) => analyticsRoutes(http, { analytics, notes, settings }),
    tasks: weeklyMailTasks({
      ...dependencies,
      analytics,
      settings,
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
