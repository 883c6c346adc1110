import type { Day } from '@bancone/contract/dates'
import type { PriorityReport } from '@bancone/contract/priority-report'
import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import type { CreateRateLimits } from '../../platform/rate-limits.ts'
import { priorityRoutes } from './priority.routes.ts'
import { createPriority, priorityLimits } from './priority.service.ts'
import { createPriorityCountersStore } from './priority-counters.store.ts'
import { createPriorityDisplaysStore } from './priority-displays.store.ts'
import { priorityTasks } from './priority-jobs.ts'
import { createPriorityLifeStore } from './priority-life.store.ts'
import { createPriorityLinksStore } from './priority-links.store.ts'
import { reportArrivals } from './priority-report.store.ts'
import { createPrioritySettingsStore } from './priority-settings.store.ts'
import { createPriorityVisitsStore } from './priority-visits.store.ts'
import {
  createVisitsOfCustomerStore,
  type VisitsOfCustomerStore,
} from './visits-of-customer.store.ts'

type Dependencies = {
  db: Database
  limits: CreateRateLimits
  settings: { publicUrl: string }
  log: { info(details: object, message: string): void }
}

/** Wires what the staff of a pharmacy do with priority access. */
export function wirePriority({ db, limits, settings: app, log }: Dependencies): AppModule & {
  customers: VisitsOfCustomerStore
  /** The arrivals and waits of a period of days. */
  report(pharmacyId: string, from: Day, to: Day): Promise<PriorityReport>
  /** The URL of another link of an order; undefined when there can be none. */
  issueUrl(pharmacyId: string, recordId: string, userId: string): Promise<string | undefined>
} {
  const report = (...period: [pharmacyId: string, from: Day, to: Day]) =>
    reportArrivals(db, ...period)
  const visits = createPriorityVisitsStore(db)
  const settings = createPrioritySettingsStore(db)
  const displays = createPriorityDisplaysStore(db)
  const counters = createPriorityCountersStore(db)
  const priority = createPriority({
    visits,
    links: createPriorityLinksStore(db),
    settings,
    displays,
    report,
    limits: limits(priorityLimits),
    publicUrl: app.publicUrl,
  })
  return {
    customers: createVisitsOfCustomerStore(db),
    report,
    issueUrl: priority.url,
    routes: ({ serve }) =>
      priorityRoutes(serve, { priority, visits, counters, settings, displays }),
    tasks: priorityTasks({ life: createPriorityLifeStore(db), counters, log }),
  }
}
