import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { OrderStatus } from '@bancone/contract/orders'
import { announce, changePickup, failMeta, hasten, remind, report } from './messages.ts'
import { ask, pick, recordsOf, type Stage } from './stage.ts'
import { type ChaosPharmacy, newOrder } from './world.ts'

/** Starts all actors. They act until the signal. */
export function startActors(stage: Stage): Promise<void>[] {
  // Every actor listens to the same signal.
  setMaxListeners(0, stage.signal)
  const { world } = stage
  return [
    ...world.pharmacies.flatMap((pharmacy) => [
      repeatedly(stage, 500, () => changeStatus(stage, pharmacy)),
      repeatedly(stage, 700, () => readPage(stage, pharmacy)),
      repeatedly(stage, 1_500, () => order(stage, pharmacy)),
    ]),
    repeatedly(stage, 800, () => changeInStore(stage)),
    repeatedly(stage, 2_500, () => removeFromStore(stage)),
    repeatedly(stage, 300, () => changePickup(stage)),
    repeatedly(stage, 300, () => announce(stage)),
    repeatedly(stage, 300, () => failMeta(stage)),
    repeatedly(stage, 600, () => report(stage)),
    repeatedly(stage, 600, () => hasten(world, 2)),
    repeatedly(stage, 2_000, () => remind(world)),
    repeatedly(stage, 3_000, () => killServer(stage)),
    repeatedly(stage, 4_000, () => restartDatabase(stage)),
  ]
}

/** At random intervals of about that length. */
async function repeatedly({ next, signal }: Stage, ms: number, work: () => Promise<void> | void) {
  while (!signal.aborted) {
    await pause(ms * (0.5 + next()), undefined, { signal }).catch(() => {})
    if (!signal.aborted) await work()
  }
}

async function changeStatus(stage: Stage, pharmacy: ChaosPharmacy): Promise<void> {
  const { actionLog, next } = stage
  const recordId = pick(recordsOf(stage, pharmacy), next)?.id
  const status = pick(OrderStatus.options, next)
  if (recordId === undefined || status === undefined) return
  await actionLog.exclusively(recordId, async () => {
    const code = await ask(stage, pharmacy, 'changes', `airtable-orders/${recordId}`, {
      method: 'PATCH',
      body: JSON.stringify({ fields: { Stato: status } }),
    })
    // 404 and 409 say that the change was not made.
    const answer = code === 200 ? 'taken' : code === 409 || code === 404 ? 'refused' : 'unknown'
    actionLog.record(recordId, { by: 'pharmacist', status, answer })
  })
}

async function readPage(stage: Stage, pharmacy: ChaosPharmacy): Promise<void> {
  await ask(stage, pharmacy, 'pages', 'airtable-orders?page=1')
}

function order(stage: Stage, pharmacy: ChaosPharmacy): void {
  const { world, actionLog } = stage
  world.airtable.create(pharmacy.baseId, pharmacy.tableId, [newOrder(pharmacy)])
  actionLog.count('orders that came')
}

/**
 * Actors in Airtable touch every second order only: on the others, a lost change cannot be hidden by another
 * one.
 */
function touchable(stage: Stage) {
  const pharmacy = pick(stage.world.pharmacies, stage.next)
  const records = pharmacy ? recordsOf(stage, pharmacy) : []
  return {
    pharmacy,
    record: pick(
      records.filter((_, index) => index % 2 === 0),
      stage.next,
    ),
  }
}

async function changeInStore(stage: Stage): Promise<void> {
  const { pharmacy, record } = touchable(stage)
  if (!pharmacy || !record) return
  stage.actionLog.count('changes in Airtable')
  // A unique status, because a status that was set back could not be told from an unchanged one.
  const status = `Richiamare ${stage.actionLog.tally['changes in Airtable']}`
  await stage.actionLog.exclusively(record.id, () => {
    stage.world.airtable.update(pharmacy.baseId, pharmacy.tableId, record.id, {
      Stato: status,
      Cliente: `Ada ${stage.next()}`,
    })
    stage.actionLog.record(record.id, { by: 'store', status })
  })
}

async function removeFromStore(stage: Stage): Promise<void> {
  const { pharmacy, record } = touchable(stage)
  if (!pharmacy || !record) return
  await stage.actionLog.exclusively(record.id, () => {
    stage.world.airtable.remove(pharmacy.baseId, pharmacy.tableId, record.id)
    stage.actionLog.removed.add(record.id)
    stage.actionLog.count('orders removed in Airtable')
  })
}

async function killServer({ world, actionLog, next }: Stage): Promise<void> {
  const server = pick(world.servers, next)
  await server?.kill('SIGKILL')
  actionLog.count('servers killed')
  await server?.start()
}

async function restartDatabase({ world, actionLog, next, signal }: Stage): Promise<void> {
  await world.restartPostgres(next() < 0.5 ? 'fast' : 'immediate')
  actionLog.count('PostgreSQL restarted')
  // Its supervisor gives up after five restarts within a minute.
  await pause(12_000, undefined, { signal }).catch(() => {})
}
