import { hasFeature } from '@bancone/contract/access'
import { customerPriorityPath } from '@bancone/contract/pages'
import type { Database } from '../database/database.ts'
import { enqueueCustomerArrival } from '../features/notifications/push-devices.store.ts'
import { createPharmaciesStore } from '../features/pharmacies/pharmacies.store.ts'
import {
  arriveInDemo,
  insertDemoPrioritySessions,
  orderWithoutPrioritySession,
} from '../features/priority/demo-sessions.store.ts'
import {
  createPriorityLinksStore,
  type IssuedLink,
} from '../features/priority/priority-links.store.ts'
import { enqueue, type Jobs, type Task } from '../platform/jobs.ts'
import type { Wired } from '../wiring/wiring.ts'
import { demoLocation } from './demo.ts'
import { demoPharmacyCode } from './demo-accounts.ts'

const ARRIVAL_TASK = 'demo.arrival'

/** Seconds between two arrivals. */
const ARRIVAL_EVERY = 4 * 60

const LINK_DAYS = 7

/** Copies the orders of the first demo pharmacy, and gives the newest ones sessions. */
export async function seedDemoPriority(
  db: Database,
  { readOrders }: Pick<Wired, 'readOrders'>,
  pharmacyId: string,
): Promise<void> {
  await readOrders(pharmacyId, demoLocation)
  await insertDemoPrioritySessions(db, pharmacyId)
}

/** Issues the link of the newest order that has no session yet. */
async function issueNewest(db: Database, pharmacyId: string): Promise<IssuedLink | undefined> {
  const recordId = await orderWithoutPrioritySession(db, pharmacyId)
  const issuer = { source: 'person', id: pharmacyId } as const
  if (recordId === undefined) return undefined
  return createPriorityLinksStore(db).issue(pharmacyId, recordId, LINK_DAYS, issuer)
}

/** What priority access adds to a running demo. */
export type DemoPriority = {
  /** The path of a customer's page, with a new token; undefined when the pharmacy has no orders. */
  customerPath: string | undefined
  jobs: Jobs
}

/**
 * Issues a link, and adds a job by which a customer arrives every few minutes.
 *
 * @param arrive false: no customers arrive
 * @returns undefined when the first demo pharmacy has no priority access, or was removed
 */
export async function startDemoPriority(
  db: Database,
  jobs: Jobs,
  arrive: boolean,
): Promise<DemoPriority | undefined> {
  const pharmacy = await createPharmaciesStore(db).publicByCode(demoPharmacyCode)
  if (!pharmacy?.isActive || !hasFeature(pharmacy, 'priority_access')) return undefined
  const link = await issueNewest(db, pharmacy.id)
  const customerPath =
    link && `${customerPriorityPath(demoPharmacyCode, link.recordId)}#t=${link.token}`
  return { customerPath, jobs: arrive ? await withArrivals(db, jobs, pharmacy.id) : jobs }
}

async function withArrivals(db: Database, jobs: Jobs, pharmacyId: string): Promise<Jobs> {
  const enqueueNext = () =>
    enqueue(db, ARRIVAL_TASK, {}, { key: ARRIVAL_TASK, delaySeconds: ARRIVAL_EVERY })
  await enqueueNext()
  const arrival: Task = {
    lane: 'delivery',
    async run() {
      await enqueueNext()
      const link = await issueNewest(db, pharmacyId)
      if (link) await arriveInDemo(db, pharmacyId, link.prioritySessionId, enqueueCustomerArrival)
    },
  }
  return { ...jobs, tasks: { ...jobs.tasks, [ARRIVAL_TASK]: arrival } }
}
