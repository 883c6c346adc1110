import { type LoadRequest, load, median } from './load.ts'
import type { ServerProcess } from './server-process.ts'

/** Where the parts of the benchmark write their lines and the names of missed goals. */
export type Report = { say(line: string): void; missed: string[]; unsure: string[] }

/** A running server, and what is requested of it in turn. */
export type Contestant = { server: ServerProcess; requests: readonly LoadRequest[] }

/** The median of some runs, and how far they lie apart: the difference of the extremes in parts of the median. */
type Figure = { median: number; spread: number }

export type Comparison = {
  ours: Figure
  bare: Figure
  /** Medians of the ratios of each run, ours to the bare server's. */
  ratio: number
  p99Ratio: number
  /** Milliseconds. */
  p99: { ours: number; bare: number }
  /** Microseconds of processor time for a request. */
  processor: { ours: number; bare: number }
  failed: number
}

const RUNS = 3
const SECONDS = 4
const WARM_UP_SECONDS = 2

/** The bare server does the same in every run. When its rates differ by more than this, the machine did other work. */
const NOISY_SPREAD = 0.25

/** Loads both by turns, so that what else the machine does affects both alike. */
export async function compare(ours: Contestant, bare: Contestant): Promise<Comparison> {
  await timed(ours, WARM_UP_SECONDS)
  await timed(bare, WARM_UP_SECONDS)
  const runs: { ours: Timed; bare: Timed }[] = []
  while (runs.length < RUNS) {
    runs.push({ ours: await timed(ours, SECONDS), bare: await timed(bare, SECONDS) })
  }
  const both = (of: (run: Timed) => number) => ({
    ours: median(runs.map((run) => of(run.ours))),
    bare: median(runs.map((run) => of(run.bare))),
  })
  return {
    ours: figure(runs.map((run) => run.ours.perSecond)),
    bare: figure(runs.map((run) => run.bare.perSecond)),
    ratio: median(runs.map((run) => run.ours.perSecond / run.bare.perSecond)),
    p99Ratio: median(runs.map((run) => run.ours.p99 / run.bare.p99)),
    p99: both((run) => run.p99),
    processor: both((run) => run.processor),
    failed: runs.reduce((sum, run) => sum + run.ours.failed + run.bare.failed, 0),
  }
}

type Timed = Awaited<ReturnType<typeof timed>>

async function timed({ server, requests }: Contestant, seconds: number) {
  const before = await server.processor()
  const result = await load({ url: server.url, requests }, seconds)
  const used = (await server.processor()) - before
  return { ...result, processor: (used / (result.perSecond * seconds)) * 1_000_000 }
}

/** Writes a comparison as one line. @param goals the least ratio, and the highest of the slowest hundredths */
export function sayComparison(
  { say, missed, unsure }: Report,
  what: string,
  against: string,
  goals: { ratio: number; p99?: number },
  result: Comparison,
): void {
  const isNoisy = result.bare.spread > NOISY_SPREAD
  const isMissed = result.ratio < goals.ratio || (goals.p99 ?? Infinity) < result.p99Ratio
  if (result.failed > 0 || (isMissed && !isNoisy)) missed.push(what.trim())
  else if (isMissed) unsure.push(what.trim())
  const { ours, bare, p99, processor } = result
  say(
    `${what}: ${rate(ours)} against ${rate(bare)} of ${against}: ` +
      `ratio ${result.ratio.toFixed(2)} (goal: at least ${goals.ratio}); ` +
      `p99 ${p99.ours.toFixed(1)} against ${p99.bare.toFixed(1)} ms: ${result.p99Ratio.toFixed(2)}` +
      `${goals.p99 === undefined ? '' : ` (goal: at most ${goals.p99})`}; ` +
      `${processor.ours.toFixed(0)} against ${processor.bare.toFixed(0)} µs of processor time` +
      (result.failed > 0 ? `, ${result.failed} FAILED` : '') +
      (isNoisy ? '; TOO NOISY to judge' : ''),
  )
}

function figure(values: readonly number[]): Figure {
  const middle = median(values)
  return { median: middle, spread: (Math.max(...values) - Math.min(...values)) / middle }
}

const rate = (of: Figure) => `${of.median.toFixed(0)}/s (spread ${(of.spread * 100).toFixed(0)} %)`
