import pg from 'pg'
import type { BenchDatabase } from './database.ts'
import { median } from './load.ts'
import { databaseSeconds } from './processor-time.ts'
import { type ServerProcess, startProcess } from './server-process.ts'
import { sendViews } from './visit-load.ts'

const GOAL = 1.5
const ROUNDS = 5

type Options = {
  served: ServerProcess
  pool: pg.Pool
  /** The readable codes of the pharmacies. */
  codes: string[]
  /** Views of each of five rounds. */
  views: number
  say(line: string): void
  missed: string[]
}

/** What a view costs, against a bare insert of its row. */
export async function benchVisits(
  { url, pharmacies }: Pick<BenchDatabase, 'url' | 'pharmacies'>,
  { served, pool, codes, views, say, missed }: Options,
): Promise<void> {
  const bare = await startProcess(['--import', 'tsx', 'bench/bare-visits.ts'], 3922, {
    DATABASE_URL: url,
  })
  const ids = pharmacies.map(({ id }) => id)
  // The figures are brought up to date after the rounds, so that what that costs is known by itself.
  const lock = new pg.Client({ connectionString: url })
  await lock.connect()
  await lock.query("select pg_advisory_lock(hashtext('fold_analytics'))")
  try {
    const before = await recorded(pool)
    const rounds: Record<'ours' | 'bare', Cost[]> = { ours: [], bare: [] }
    for (let round = -1; round < ROUNDS; round += 1) {
      const ours = await cost(served, codes)
      const theirs = await cost(bare, ids)
      if (round < 0) continue
      rounds.ours.push(ours)
      rounds.bare.push(theirs)
    }
    const sent = 2 * (ROUNDS + 1) * views
    const kept = (await recorded(pool)) - before
    if (kept !== sent) throw new Error(`${kept} of ${sent} views were recorded`)
    const begun = await databaseSeconds(pool)
    await lock.end()
    await folded(pool)
    const fold = ((await databaseSeconds(pool)) - begun) / ((ROUNDS + 1) * views)

    const [ours, theirs] = [middle(rounds.ours), middle(rounds.bare)]
    const ratio = ours.processor / theirs.processor
    if (ratio > GOAL) missed.push('views')
    say(
      `A view: ${microseconds(ours.processor)} of processor time (${microseconds(ours.server)} of the server), against ` +
        `${microseconds(theirs.processor)} (${microseconds(theirs.server)}) of a bare node:http + pg that inserts its row: ` +
        `ratio ${ratio.toFixed(2)} (goal: at most ${GOAL}); ${ours.perSecond.toFixed(0)}/s against ` +
        `${theirs.perSecond.toFixed(0)}/s`,
    )
    say(
      `  later, to add it to the figures: ${microseconds(fold)} more, ` +
        `ratio ${((ours.processor + fold) / theirs.processor).toFixed(2)} with it (no goal)`,
    )
  } finally {
    await lock.end()
    await bare.stop()
  }

  async function cost(server: ServerProcess, pharmacyIds: string[]): Promise<Cost> {
    const begun = [await server.processor(), await databaseSeconds(pool)] as const
    const seconds = await sendViews(server.url, pharmacyIds, views)
    const ofServer = ((await server.processor()) - begun[0]) / views
    const ofDatabase = ((await databaseSeconds(pool)) - begun[1]) / views
    return { perSecond: views / seconds, server: ofServer, processor: ofServer + ofDatabase }
  }
}

/** Seconds of a view: those of the server, and those of server and database. */
type Cost = { perSecond: number; server: number; processor: number }

function middle(costs: Cost[]): Cost {
  const of = (part: keyof Cost) => median(costs.map((each) => each[part]))
  return { perSecond: of('perSecond'), server: of('server'), processor: of('processor') }
}

const microseconds = (seconds: number) => `${(seconds * 1e6).toFixed(0)} µs`

async function recorded(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    'select count(*)::int as count from offer_page_views',
  )
  return rows[0]?.count ?? 0
}

/** Adds everything to the figures, as a server does each minute. */
async function folded(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query<{ rows: number }>('select fold_analytics(5000) as rows')
    if (rows[0]?.rows === 0) return
  }
}
