import { writeFile } from 'node:fs/promises'
import { get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import autocannon from 'autocannon'
import type { Bench } from './bench.ts'
import { type LoadRequest, median } from './load.ts'
import type { ServerProcess } from './server-process.ts'

const RUNS = 3
const SECONDS = 4
const WARM_UP_SECONDS = 2
const CONNECTIONS = 16

/** The bare server does the same in every run. When its rates differ by more than this, the machine did other work. */
const NOISY_SPREAD = 0.25

type Contest = {
  what: string
  ours: ServerProcess
  bare: ServerProcess
  /** What the bare server does. */
  against: string
  requests: readonly LoadRequest[]
  /** The least ratio of the rates, and the highest one of the slowest hundredths. */
  goals: { ratio: number; p99?: number }
}

/** Loads both servers by turns, so that what else the machine does affects both alike, and writes their ratio. */
export async function compare({ say, missed, unsure }: Bench, contest: Contest): Promise<void> {
  const { what, ours, bare, against, requests, goals } = contest
  await loaded(ours, requests, WARM_UP_SECONDS)
  await loaded(bare, requests, WARM_UP_SECONDS)
  const runs: { ours: Loaded; bare: Loaded }[] = []
  while (runs.length < RUNS) {
    runs.push({
      ours: await loaded(ours, requests, SECONDS),
      bare: await loaded(bare, requests, SECONDS),
    })
  }
  const middle = (of: (run: (typeof runs)[number]) => number) => median(runs.map(of))
  const ratio = middle((run) => run.ours.perSecond / run.bare.perSecond)
  const p99Ratio = middle((run) => run.ours.p99 / run.bare.p99)
  const failed = runs.reduce((sum, run) => sum + run.ours.failed + run.bare.failed, 0)
  const rates = runs.map((run) => run.bare.perSecond)
  const isNoisy = Math.max(...rates) - Math.min(...rates) > NOISY_SPREAD * median(rates)
  const isMissed = ratio < goals.ratio || (goals.p99 ?? Infinity) < p99Ratio
  if (failed > 0 || (isMissed && !isNoisy)) missed.push(what)
  else if (isMissed) unsure.push(what)
  const both = (of: (run: Loaded) => number) =>
    `${middle((run) => of(run.ours)).toFixed(0)} against ${middle((run) => of(run.bare)).toFixed(0)}`
  say(
    `${what}: ${both((run) => run.perSecond)}/s of ${against}: ratio ${ratio.toFixed(2)} ` +
      `(goal: at least ${goals.ratio}); p99 ${both((run) => run.p99)} ms: ${p99Ratio.toFixed(2)}` +
      `${goals.p99 === undefined ? '' : ` (goal: at most ${goals.p99})`}; ` +
      `${both((run) => run.processor)} µs of processor time` +
      (failed > 0 ? `, ${failed} FAILED` : '') +
      (isNoisy ? '; TOO NOISY to judge' : ''),
  )
}

/** Compares with a bare server that sends for every request what ours answers to this one. */
export async function compareBytes(
  bench: Bench,
  { path, ...contest }: Pick<Contest, 'what' | 'ours' | 'goals'> & LoadRequest,
): Promise<void> {
  const { headers = {}, ours } = contest
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(ours.url + path, { headers }, resolve).on('error', reject)
  })
  if (reply.statusCode !== 200) throw new Error(`${path} answered ${reply.statusCode}`)
  const file = join(bench.folder, 'bytes')
  await writeFile(file, await buffer(reply))
  const bare = await bench.serveBare({ BYTES: file })
  const against = 'a bare node:http with the same bytes'
  await compare(bench, { ...contest, bare, against, requests: [{ path, headers }] })
}

type Loaded = Awaited<ReturnType<typeof loaded>>

/**
 * Sends the requests in turn over 16 connections for some seconds. `p99` in milliseconds, `processor`: microseconds of
 * processor time for a request.
 */
async function loaded(
  { url, processor }: ServerProcess,
  requests: readonly LoadRequest[],
  seconds: number,
) {
  const all = requests.map((request) => ({ method: 'GET' as const, ...request }))
  const before = await processor()
  let connection = 0
  const { requests: rates, ...result } = await autocannon({
    url,
    connections: CONNECTIONS,
    duration: seconds,
    requests: all.slice(0, 1),
    // Each connection has requests of its own: otherwise all would ask for the same page at the same time.
    setupClient(client) {
      const own = all.filter((_request, n) => n % CONNECTIONS === connection % CONNECTIONS)
      connection += 1
      if (own.length > 0) client.setRequests(own)
    },
  })
  const used = (await processor()) - before
  return {
    perSecond: rates.average,
    failed: result.non2xx + result.errors,
    p99: result.latency.p99,
    processor: (used / (rates.average * seconds)) * 1_000_000,
  }
}
