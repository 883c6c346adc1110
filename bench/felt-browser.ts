import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { z } from 'zod'
import { ensureChromium, findHeadlessShell } from '../scripts/chromium.mjs'
import { median } from './load.ts'

/** The pages are idle when nothing was loaded, and no task took long, for this time. */
const QUIET_MS = 500
const SETTLE_MS = 60_000

export type Machine = {
  name: string
  slowdown: number
  network: { latency: number; downMbit: number; upMbit: number } | null
  size: { width: number; height: number }
  touch: boolean
  pressGoalMs: number
}

export const machines: readonly Machine[] = [
  {
    name: 'desktop',
    slowdown: 1,
    network: null,
    size: { width: 1366, height: 900 },
    touch: false,
    pressGoalMs: 100,
  },
  {
    name: 'phone',
    slowdown: 4,
    network: { latency: 170, downMbit: 1.6, upMbit: 0.75 },
    size: { width: 390, height: 844 },
    touch: true,
    pressGoalMs: 200,
  },
]

/** A measured figure, by its name. */
export type Figures = Map<string, number>
export type Sign = {
  selector: string
  text?: string
  value?: string
  every?: boolean
  absent?: boolean
}

export function described({ name, slowdown, network, size }: Machine): string {
  const line = network
    ? `${network.latency} ms of latency, ${network.downMbit} Mbit/s down, ${network.upMbit} up`
    : 'no limit of the network'
  return `  ${name}: processor slowed ${slowdown} times, ${line}, ${size.width} × ${size.height}`
}

/** A browser with a profile of its own, which keeps compiled code as that of a person does. */
export async function open({ size, touch }: Machine, profile: string): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: (await findHeadlessShell()) ?? (await ensureChromium()),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      // Chats that are opened lead nowhere.
      '--host-resolver-rules=MAP wa.me ~NOTFOUND',
    ],
    viewport: size,
    hasTouch: touch,
    isMobile: touch,
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
  })
  context.setDefaultTimeout(SETTLE_MS)
  await context.addInitScript({ path: fileURLToPath(new URL('felt-probe.js', import.meta.url)) })
  return context
}

export const demoAccounts = {
  pharmacy: 'farmacia@demo.bancone.it',
  admin: 'admin@demo.bancone.it',
} as const
export const DEMO_PASSWORD = 'Bancone-demo-1'

/** A session of an account of the demo, as the browser stores it. */
export async function signIn(url: string, email: string): Promise<string> {
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: DEMO_PASSWORD }),
  })
  return reply.text()
}

export async function slow(page: Page, { slowdown, network }: Machine): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable')
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  if (network) {
    await devtools.send('Network.enable')
    await devtools.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latency,
      downloadThroughput: (network.downMbit * 1_000_000) / 8,
      uploadThroughput: (network.upMbit * 1_000_000) / 8,
    })
  }
  return devtools
}

export const Seen = z.object({ shift: z.number(), paint: z.number() })
const Loaded = z.object({ requests: z.number(), scripts: z.number(), kB: z.number() })
const After = z.object({ signs: z.array(z.number()), request: z.nullable(z.number()) })

/** Milliseconds of the main thread since the document was opened. */
async function mainThread(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}

/** Names what the next document is opened for; null for orders. @param page one of the same origin */
const lookFor = (page: Page, selector: string | null) =>
  page.evaluate(
    selector === null
      ? `sessionStorage.removeItem('felt')`
      : `sessionStorage.setItem('felt', ${JSON.stringify(selector)})`,
  )

/** Opens the page with a warm cache, and waits until it is idle. @param content what it is opened for */
export async function load(
  page: Page,
  devtools: CDPSession,
  address: string,
  content: string | null = null,
) {
  // A page of the same origin before: a new process of the browser is none of ours.
  await page.goto(new URL('/healthz', address).href)
  await lookFor(page, content)
  await page.goto(address, { waitUntil: 'commit' })
  const first = await page.evaluate<number>('felt.first()')
  const threadUntilFirst = await mainThread(devtools)
  const idle = await untilIdle(page)
  const thread = await mainThread(devtools)
  const loaded = async (until: number) => Loaded.parse(await page.evaluate(`felt.loaded(${until})`))
  return {
    first: { at: first, thread: threadUntilFirst, ...(await loaded(first)) },
    idle: { at: idle, thread, ...(await loaded(idle)) },
    shift: Seen.parse(await page.evaluate('felt.seen()')).shift,
  }
}

/** @returns when the last thing happened before the quiet */
export async function untilIdle(page: Page): Promise<number> {
  const given = performance.now() + SETTLE_MS
  while (performance.now() < given) {
    const [last = 0, now = 0] = z
      .array(z.number())
      .parse(await page.evaluate('[felt.lastActivity(), felt.now()]'))
    if (now - last >= QUIET_MS) return last
    await pause(50)
  }
  throw new Error(`${page.url()} did not become idle`)
}

/** Presses, and measures from the event to each sign. */
export async function press(
  page: Page,
  {
    event = 'pointerdown',
    does,
    signs,
    request,
  }: {
    event?: string
    does: () => Promise<unknown>
    signs: readonly Sign[]
    request?: string
  },
) {
  await page.evaluate(
    `felt.watch(${JSON.stringify(event)}, ${JSON.stringify(signs)}, ${JSON.stringify(request)})`,
  )
  await does()
  return After.parse(await page.evaluate('felt.watched()'))
}

/** A finger or the mouse, whichever the machine has. */
export const touch = (page: Page, { touch: byFinger }: Machine, selector: string) =>
  byFinger ? page.locator(selector).tap() : page.locator(selector).click()

/** They warm the caches of browser and server. The browser keeps the compiled code of a script that it runs again. */
const WARM_UP_ROUNDS = 2

export async function medians(
  runs: number,
  measure: (figures: { ours: Figures; bare: Figures }) => Promise<void>,
) {
  const rounds: { ours: Figures; bare: Figures }[] = []
  for (let run = 1; run <= WARM_UP_ROUNDS + runs; run += 1) {
    const figures = { ours: new Map<string, number>(), bare: new Map<string, number>() }
    await measure(figures)
    if (run > WARM_UP_ROUNDS) rounds.push(figures)
  }
  const middle = (whose: 'ours' | 'bare') => {
    const names = [...(rounds[0]?.[whose].keys() ?? [])]
    return new Map(
      names.map((name) => [name, median(rounds.map((round) => round[whose].get(name) ?? 0))]),
    )
  }
  return { ours: middle('ours'), bare: middle('bare') }
}
