import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { z } from 'zod'
import { ensureChromium } from '../scripts/chromium.mjs'
import type { Bench } from './bench.ts'
import { median } from './load.ts'

/** Fetched when it is needed: with what it brings it is a fifth of all installed packages. */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const RUNS = 5
const GOAL = 98
const DEBUGGING_PORT = 3900
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

const Result = z.object({
  categories: z.record(z.enum(CATEGORIES), z.object({ score: z.number() })),
})

/** The public page of the demo on a slow phone, as Lighthouse imitates one: the median of each score. */
export async function benchLighthouse({ start, folder, say, missed }: Bench): Promise<void> {
  const demo = { DATA_DIR: folder, DEMO: '1', DEMO_ORDER_EVERY: '0' }
  const served = await start(['dist/server/main.js'], demo)
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: [`--remote-debugging-port=${DEBUGGING_PORT}`, '--no-sandbox'],
  })
  try {
    const url = `${served.url}/offers/PHARM-0001`
    // Pictures are drawn when they are first asked for, once for all.
    await scores(url)
    const runs: Record<string, number>[] = []
    for (let run = 0; run < RUNS; run += 1) runs.push(await scores(url))
    const medians = CATEGORIES.map(
      (name) => [name, median(runs.map((run) => run[name] ?? 0))] as const,
    )
    for (const [name, score] of medians) if (score < GOAL) missed.push(`Lighthouse ${name}`)
    const shown = medians.map(([name, score]) => `${name} ${score}`).join(', ')
    say(`Lighthouse, public page on a phone, median of ${RUNS}: ${shown} (goal: at least ${GOAL})`)
  } finally {
    await browser.close()
  }
}

/** Out of a hundred, by category. */
async function scores(url: string): Promise<Record<string, number>> {
  const options = [
    `--port=${DEBUGGING_PORT}`,
    `--only-categories=${CATEGORIES.join(',')}`,
    '--output=json',
    '--quiet',
  ]
  const { stdout } = await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...options], {
    maxBuffer: 64 * 1024 * 1024,
  })
  const { categories } = Result.parse(JSON.parse(stdout))
  return Object.fromEntries(
    CATEGORIES.map((name) => [name, Math.round(categories[name].score * 100)]),
  )
}
