import { setTimeout as pause } from 'node:timers/promises'
import { random } from '@bancone/sandbox/random'
import { act } from './actors.ts'
import { createDiary } from './diary.ts'
import { judge, lookAtAll } from './verdict.ts'
import { createWorld } from './world.ts'

export type ChaosReport = {
  /** How often what was done. */
  done: Record<string, number>
  tally: string[]
  wrong: string[]
}

/** Orders each pharmacy has when it begins. */
const ORDERS_EACH = 40

/** From then on what killed processes held is waited for. */
const SECONDS_OF_A_LONG_RUN = 60

/**
 * Everything at once, for so many seconds: people who read and change orders, Airtable that fails in
 * every way it knows, servers that are killed and a PostgreSQL that is restarted. Then everything works
 * again, and the end is judged.
 */
export async function chaos(seconds: number, seed: number): Promise<ChaosReport> {
  const world = await createWorld()
  const diary = createDiary()
  try {
    for (const { baseId, tableId, name } of world.pharmacies) {
      const fields = { Cliente: 'Ada Neri', Ordine: 'x', Stato: 'In attesa', PharmaWA: name }
      const orders = Array.from({ length: ORDERS_EACH }, () => ({ fields }))
      world.airtable.create(baseId, tableId, orders)
    }
    const copied = 'select count(*)::int as orders from pharmacy_orders'
    const inCopy = async () => (await world.query<{ orders: number }>(copied))[0]?.orders ?? 0
    while ((await inCopy()) < ORDERS_EACH * world.pharmacies.length) await lookAtAll(world)
    world.airtable.fail({
      mode: 'chaos',
      seed,
      delayMs: 9_000,
      // Not `slow`: a request that is done long after it was given up overwrites what came in between,
      // and nobody can prevent it.
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
    const acting = act({ world, diary, next: random(seed), signal: ending.signal })
    await pause(seconds * 1000)
    ending.abort()
    await Promise.all(acting)
    const wrong = await judge(world, diary, seconds >= SECONDS_OF_A_LONG_RUN)
    const { total, limited } = world.airtable.requests()
    return {
      done: diary.tally,
      wrong,
      tally: [
        `${seconds} seconds, seed ${seed}`,
        ...Object.entries(diary.tally)
          .toSorted(([a], [b]) => a.localeCompare(b))
          .map(([what, count]) => `${what}: ${count}`),
        `requests to Airtable: ${total}, of which too many at once: ${limited}`,
        `orders compared at the end: ${await inCopy()}`,
        wrong.length === 0 ? 'nothing lost, copy and base agree' : `wrong: ${wrong.length}`,
      ],
    }
  } finally {
    await world.dispose()
  }
}
