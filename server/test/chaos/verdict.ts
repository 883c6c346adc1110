import { setTimeout as pause } from 'node:timers/promises'
import { type ActionLog, possibleEnds } from './action-log.ts'
import { hasten, wrongMessages } from './messages.ts'
import type { ChaosPharmacy, World } from './world.ts'

/** Milliseconds within which the state must be correct, once all failures have stopped. */
const SETTLES_WITHIN = 150_000

type Row = { id: string; status: string; customer: string | null }

/**
 * Waits until copy and base agree and no change or message is pending. @returns what is wrong
 *
 * @param isPatient waits for the resources of killed processes to expire, which takes more than a minute
 */
export async function judge(
  world: World,
  actionLog: ActionLog,
  isPatient: boolean,
): Promise<string[]> {
  world.airtable.fail({ mode: 'ok' })
  world.meta.fail({ mode: 'ok' })
  const [now] = await world.query<{ at: Date }>('select now() as at')
  if (!isPatient) {
    await world.query('delete from order_source_leases')
    await world.query('delete from request_places')
  }
  const until = Date.now() + SETTLES_WITHIN
  let differences: string[] = ['nothing was compared']
  while (differences.length > 0 && Date.now() < until) {
    await lookAtAll(world)
    // Removed orders are looked for every few hours; here, now.
    if (differences.length > 0) {
      await world.query(
        'update order_copies set sweep_at = now() where swept_at is null or swept_at < $1',
        [now?.at],
      )
      if (!isPatient) for (const aged of nothingUnsure) await world.query(aged)
      await hasten(world, 0)
    }
    await pause(isPatient ? 1_000 : 200)
    differences = await compare(world)
  }
  return [
    ...differences,
    ...(await lostChanges(world, actionLog)),
    ...(await wrongMessages(world, actionLog)),
    ...world.servers.flatMap((server) => server.complaints()),
  ]
}

/** As if the time had passed in which a failed request may still take effect. */
const nothingUnsure = [
  `update order_changes set unsure_at = unsure_at - interval '90 seconds',
    claimed_until = claimed_until - interval '90 seconds'`,
  `update whatsapp_outbox set claimed_until = claimed_until - interval '90 seconds'`,
  `update graphile_worker._private_jobs set locked_at = null, locked_by = null, run_at = now()
    where key in (select 'whatsapp.send:' || id from whatsapp_outbox where state = 'sending')`,
]

/** Reads the orders of every pharmacy. */
export async function lookAtAll(world: World): Promise<void> {
  for (const [index, pharmacy] of world.pharmacies.entries()) await look(world, pharmacy, index)
}

/** Reads a pharmacy's orders and requests a refresh. */
async function look({ servers }: World, { token }: ChaosPharmacy, index: number): Promise<void> {
  const server = servers[index % servers.length]
  const headers = { authorization: `Bearer ${token}` }
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/refresh'],
  ] as const) {
    const url = `${server?.url}/api/airtable-orders${path}`
    const reply = await fetch(url, { method, headers }).catch(() => undefined)
    await reply?.arrayBuffer().catch(() => {})
  }
}

/** Compares the records one by one. */
async function compare(world: World): Promise<string[]> {
  const wrong: string[] = []
  for (const queue of ['order_changes', `whatsapp_outbox where state in ('queued', 'sending')`]) {
    const [row] = await world.query<{ count: string }>(`select count(*) from ${queue}`)
    if (row?.count !== '0') wrong.push(`${row?.count} wait in ${queue}`)
  }
  for (const pharmacy of world.pharmacies) {
    const rows = await world.query<Row>(
      `select airtable_order_id as id, status, customer_name as customer
       from pharmacy_orders where pharmacy_id = $1`,
      [pharmacy.id],
    )
    const kept = new Map(rows.map((row) => [row.id, row]))
    for (const { id, fields } of world.airtable.all(pharmacy.baseId, pharmacy.tableId)) {
      if (fields['PharmaWA'] !== pharmacy.name) continue
      const row = kept.get(id)
      kept.delete(id)
      if (!row) wrong.push(`${id} is not in the copy of ${pharmacy.name}`)
      else if (row.status !== fields['Stato'] || row.customer !== fields['Cliente']) {
        wrong.push(
          `${id} of ${pharmacy.name} is ${row.status} here and ${String(fields['Stato'])} there`,
        )
      }
    }
    for (const id of kept.keys()) wrong.push(`${id} of ${pharmacy.name} is not there any more`)
  }
  return wrong
}

/**
 * Every accepted change took effect, was followed by another, or is named by a notice. A server reads a record before
 * it writes it; Airtable cannot make the write depend on what was read, so a change there between the two is
 * overwritten.
 */
async function lostChanges(world: World, actionLog: ActionLog): Promise<string[]> {
  const told = new Set(
    (await world.query<{ id: string }>('select airtable_order_id as id from order_notices')).map(
      ({ id }) => id,
    ),
  )
  const statuses = new Map(
    world.pharmacies.flatMap(({ baseId, tableId }) =>
      world.airtable.all(baseId, tableId).map(({ id, fields }) => [id, String(fields['Stato'])]),
    ),
  )
  const overwritten = world.airtable.overwritten()
  const lost: string[] = []
  for (const [id, all] of actionLog.actions) {
    const lastInStore = all.findLastIndex(({ by }) => by === 'store')
    const history = overwritten.has(id) ? all.toSpliced(lastInStore, 1) : all
    const status = statuses.get(id)
    if (status === undefined && actionLog.removed.has(id)) continue
    if (status === undefined) lost.push(`${id} is gone`)
    else if (!told.has(id) && !possibleEnds(history, 'In attesa').has(status)) {
      lost.push(`${id} is ${status} after ${JSON.stringify(history.slice(-4))}`)
    }
  }
  return lost
}
