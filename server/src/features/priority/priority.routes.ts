import {
  changePrioritySession,
  changePrioritySettings,
  createPriorityDisplay,
  getPriorityBoard,
  getPrioritySettings,
  issuePriorityLinks,
  listPriorityDisplays,
  removePriorityDisplay,
  undoPriorityChange,
} from '@bancone/contract/priority'
import { acknowledgeArrivals, recordCounterPresence } from '@bancone/contract/priority-counters'
import { getPriorityReport } from '@bancone/contract/priority-report'
import type { Serve } from '../../http/serve.ts'
import type { PriorityService } from './priority.service.ts'
import type { PriorityCountersStore } from './priority-counters.store.ts'
import type { PriorityDisplaysStore } from './priority-displays.store.ts'
import type { PrioritySessionsStore } from './priority-sessions.store.ts'
import type { PrioritySettingsStore } from './priority-settings.store.ts'

type Handlers = {
  priority: PriorityService
  sessions: PrioritySessionsStore
  counters: PriorityCountersStore
  settings: PrioritySettingsStore
  displays: PriorityDisplaysStore
}

export function priorityRoutes(serve: Serve, handlers: Handlers) {
  const { priority, sessions, counters, settings, displays } = handlers

  serve(getPriorityBoard, (_input, { pharmacy }) => priority.board(pharmacy.id))

  serve(changePrioritySession, ({ params, body }, { pharmacy, userId }) =>
    sessions.change(pharmacy.id, params.prioritySessionId, body, userId),
  )

  serve(undoPriorityChange, ({ params, body }, { pharmacy, userId }) =>
    sessions.undo(pharmacy.id, params.prioritySessionId, body.version, userId),
  )

  serve(acknowledgeArrivals, async ({ body }, { pharmacy }) => {
    await sessions.acknowledge(pharmacy.id, body.prioritySessionIds)
    return {}
  })

  serve(recordCounterPresence, async ({ body }, { pharmacy }) => {
    await counters.record(pharmacy.id, body.deviceId, body.desk)
    return {}
  })

  serve(issuePriorityLinks, ({ body }, session) => priority.issue(session, body.recordIds))

  serve(getPrioritySettings, (_input, { pharmacy }) => settings.of(pharmacy.id))

  serve(changePrioritySettings, ({ body }, { pharmacy }) => settings.change(pharmacy.id, body))

  serve(getPriorityReport, ({ query }, { pharmacy }) => priority.report(pharmacy.id, query))

  serve(listPriorityDisplays, async (_input, { pharmacy }) => ({
    displays: await displays.list(pharmacy.id),
  }))

  serve(createPriorityDisplay, ({ body }, { pharmacy }) =>
    priority.addDisplay(pharmacy.id, body.name),
  )

  serve(removePriorityDisplay, async ({ params }, { pharmacy }) => {
    await displays.remove(pharmacy.id, params.displayId)
    return {}
  })
}
