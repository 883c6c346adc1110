import { setTimeout as pause } from 'node:timers/promises'
import { random } from '@bancone/sandbox/random'
import { createActionLog } from './action-log.ts'
import { startActors } from './actors.ts'
import { switchMessagesOn } from './messages.ts'
import { judge, lookAtAll } from './verdict.ts'
import { createWorld, newOrder } from './world.ts'

export type ChaosReport = {
  tally: string[]
  wrong: string[]
}

/** The initial number of orders of each pharmacy. */
const ORDERS_EACH = 40

/** From this duration on, resources held by killed processes and slow replies are waited for. */
const SECONDS_OF_A_LONG_RUN = 60

/**
 * Runs everything at once for that many seconds, and on until each deed has happened so many times: users who read and
 * change orders and announce them to customers, failures of Airtable and Meta of every kind, killed servers, and
 * restarts of PostgreSQL. Then all failures stop, and the final state is judged.
 */
export async function chaos(
  seconds: number,
  seed: number,
  servers = 2,
  deeds: Record<string, number> = {},
): Promise<ChaosReport> {
  const isLong = seconds >= SECONDS_OF_A_LONG_RUN
  const world = await createWorld(servers)
  const actionLog = createActionLog()
  try {
    await switchMessagesOn(world)
    for (const pharmacy of world.pharmacies) {
      const orders = Array.from({ length: ORDERS_EACH }, () => newOrder(pharmacy))
      world.airtable.create(pharmacy.baseId, pharmacy.tableId, orders)
    }
    const copied = 'select count(*)::int as orders from pharmacy_orders'
    const inCopy = async () => (await world.query<{ orders: number }>(copied))[0]?.orders ?? 0
    while ((await inCopy()) < ORDERS_EACH * world.pharmacies.length) await lookAtAll(world)
    world.airtable.fail({
      mode: 'chaos',
      seed,
      // Close to the time limit of a request, where there is time for that.
      delayMs: isLong ? 9_000 : 2_000,
      // Without `slow`: a request that takes effect long after its timeout overwrites later changes, which
      // cannot be prevented.
      chances: {
        '429': 0.01,
        '500': 0.06,
        'slow-reply': 0.02,
        malformed: 0.04,
        'hang-up': 0.04,
        'lost-reply': 0.02,
      },
    })
    const ending = new AbortController()
    const acting = startActors({ world, actionLog, next: random(seed), signal: ending.signal })
    await pause(seconds * 1000)
    const isMissing = ([deed, times]: [string, number]) => (actionLog.tally[deed] ?? 0) < times
    while (Object.entries(deeds).some(isMissing)) await pause(100)
    ending.abort()
    await Promise.all(acting)
    const wrong = await judge(world, actionLog, isLong)
    const { total, limited } = world.airtable.requests()
    return {
      wrong,
      tally: [
        `${seconds} seconds, seed ${seed}, ${servers} servers`,
        ...Object.entries(actionLog.tally)
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([what, count]) => `${what}: ${count}`),
        `requests to Airtable: ${total}, of which too many at once: ${limited}`,
        `orders compared at the end: ${await inCopy()}`,
        wrong.length === 0
          ? 'nothing lost, nothing sent twice, copy and base agree'
          : `wrong: ${wrong.length}`,
      ],
    }
  } finally {
    await world.dispose()
  }
}
