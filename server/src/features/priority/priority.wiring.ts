import type { Day } from '@bancone/contract/dates'
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
import { getPriorityReport, type PriorityReport } from '@bancone/contract/priority-report'
import { z } from 'zod'
import type { AppModule } from '../../http/app-module.ts'
import type { Serve } from '../../http/serve.ts'
import type { Context } from '../../platform/context.ts'
import type { Tasks } from '../../platform/jobs.ts'
import type { Log } from '../../ports/log.ts'
import { createPriority, type PriorityService, priorityLimits } from './priority.service.ts'
import {
  createPriorityCountersStore,
  type PriorityCountersStore,
} from './priority-counters.store.ts'
import {
  createPriorityDisplaysStore,
  type PriorityDisplaysStore,
} from './priority-displays.store.ts'
import { createPriorityExpiryStore, type PriorityExpiryStore } from './priority-expiry.store.ts'
import { createPriorityLinksStore } from './priority-links.store.ts'
import { reportArrivals } from './priority-report.store.ts'
import {
  createPrioritySessionsStore,
  type PrioritySessionsStore,
  SERVED_TASK,
} from './priority-sessions.store.ts'
import {
  createPrioritySettingsStore,
  type PrioritySettingsStore,
} from './priority-settings.store.ts'
import {
  createSessionsOfCustomerStore,
  type SessionsOfCustomerStore,
} from './sessions-of-customer.store.ts'
import type { OnPrioritySession, OnServed } from './sessions-of-orders.store.ts'

export const PRIORITY_DAY_TASK = 'priority.end_day'

const OfSession = z.object({ pharmacyId: z.uuid(), prioritySessionId: z.uuid() })

type Dependencies = Context & {
  settings: { publicUrl: string }
  onPrioritySession: OnPrioritySession
  onServed: OnServed
}

/** Wires what the staff of a pharmacy do with priority access. */
export function wirePriority(dependencies: Dependencies): AppModule & {
  customers: SessionsOfCustomerStore
  /** The arrivals and waits of a period of days. */
  report(pharmacyId: string, from: Day, to: Day): Promise<PriorityReport>
  /** The URL of another link of an order; undefined when there can be none. */
  issueUrl(pharmacyId: string, recordId: string, userId: string): Promise<string | undefined>
} {
  const { db, limits, settings: app, log } = dependencies
  const report = (...period: [pharmacyId: string, from: Day, to: Day]) =>
    reportArrivals(db, ...period)
  const sessions = createPrioritySessionsStore(
    db,
    dependencies.onPrioritySession,
    dependencies.onServed,
  )
  const settings = createPrioritySettingsStore(db)
  const displays = createPriorityDisplaysStore(db)
  const counters = createPriorityCountersStore(db)
  const priority = createPriority({
    sessions,
    links: createPriorityLinksStore(db),
    settings,
    displays,
    report,
    limits: limits(priorityLimits),
    publicUrl: app.publicUrl,
  })
  return {
    customers: createSessionsOfCustomerStore(db),
    report,
    issueUrl: priority.url,
    routes: ({ serve }) =>
      priorityRoutes(serve, { priority, sessions, counters, settings, displays }),
    tasks: priorityTasks(createPriorityExpiryStore(db), counters, log),
  }
}

/** How sessions end by themselves, and are forgotten. */
function priorityTasks(
  expiry: PriorityExpiryStore,
  counters: PriorityCountersStore,
  log: Pick<Log, 'info'>,
): Tasks {
  return {
    [SERVED_TASK]: {
      lane: 'delivery',
      run(payload) {
        const { pharmacyId, prioritySessionId } = OfSession.parse(payload)
        return expiry.serve(pharmacyId, prioritySessionId)
      },
    },
    [PRIORITY_DAY_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        const ended = await inBatches(expiry.endOpen, signal)
        const forgotten = await inBatches(expiry.forgetPeople, signal)
        const removed = await inBatches(expiry.removeOld, signal)
        await counters.removeOld()
        log.info({ ended, forgotten, removed }, 'the day of priority access has ended')
      },
    },
  }
}

/** @returns the number of rows */
async function inBatches(batch: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  let rows = 0
  for (;;) {
    signal?.throwIfAborted()
    const changed = await batch()
    if (changed === 0) return rows
    rows += changed
  }
}

type Handlers = {
  priority: PriorityService
  sessions: PrioritySessionsStore
  counters: PriorityCountersStore
  settings: PrioritySettingsStore
  displays: PriorityDisplaysStore
}

function priorityRoutes(serve: Serve, handlers: Handlers) {
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
