import { join } from 'node:path'
import { publicOffersPath } from '@bancone/contract/pages'
import type { BrowserContext, Page } from 'playwright-core'
import { z } from 'zod'
import type { Bench } from './bench.ts'
import { type BarePage, serveBarePage } from './felt-bare-page.ts'
import {
  demoAccounts,
  described,
  type Figures,
  load,
  type Machine,
  machines,
  medians,
  open,
  press,
  Seen,
  signIn,
  slow,
  touch,
  untilIdle,
} from './felt-browser.ts'

const SESSION_KEY = 'bancone-pharmacy-auth'
const PUBLIC_PAGE = publicOffersPath('PHARM-0001')

/**
 * What a person waits for, in Chromium: on a desktop, and on a middling phone as Chromium imitates one. The bare page is
 * a static document with one script that asks for the same rows; it waits for the same machine in the same run.
 */
export async function benchFelt(bench: Bench): Promise<void> {
  const { say, missed, start, folder, runs } = bench
  const demo = { DATA_DIR: folder, DEMO: '1', DEMO_ORDER_EVERY: '0' }
  const { url } = await start(['dist/server/main.js'], demo)
  const session = await signIn(url, demoAccounts.pharmacy)
  const bare = await serveBarePage(url, tokenOf(session))
  const table: { machine: Machine; ours: Figures; bare: Figures }[] = []
  try {
    for (const machine of machines) {
      const context = await open(machine, join(folder, `profile-${machine.name}`))
      // Its cache is emptied in every round: the orders keep theirs.
      const visitor = machine.network ? await open(machine, join(folder, 'profile-visitor')) : null
      try {
        const page = context.pages()[0] ?? (await context.newPage())
        await page.goto(`${url}/healthz`)
        await page.evaluate(
          `localStorage.setItem(${JSON.stringify(SESSION_KEY)}, ${JSON.stringify(session)})`,
        )
        const measured = await medians(runs, async (figures) => {
          await measureOrders({ page, machine, url, figures: figures.ours })
          await measureBare({ page, machine, bare, figures: figures.bare })
          if (visitor) await measurePublicPage(visitor, machine, url, figures.ours)
        })
        table.push({ machine, ...measured })
      } finally {
        await context.close()
        await visitor?.close()
      }
    }
  } finally {
    await bare.close()
  }
  say(`What a person feels, medians of ${runs}; times in milliseconds`)
  for (const { machine } of table) say(described(machine))
  for (const line of lines(table)) say(line)
  missed.push(...goalsMissed(table))
}

const tokenOf = (session: string) =>
  z.object({ access_token: z.string() }).parse(JSON.parse(session)).access_token

type Measured = { page: Page; machine: Machine; figures: Figures }

async function measureOrders(measured: Measured & { url: string }): Promise<void> {
  const { page, machine, url, figures } = measured
  const devtools = await slow(page, machine)
  noteOrders(await load(page, devtools, `${url}/`), figures)
  await measureDetails(measured)
  await measureStatus(measured)
  await measureList(measured)
  await devtools.detach()
}

function noteOrders({ first, idle, shift }: Awaited<ReturnType<typeof load>>, figures: Figures) {
  figures.set('first order visible', first.at)
  figures.set('main thread until the first order', first.thread)
  figures.set('idle', idle.at)
  figures.set('main thread until idle', idle.thread)
  for (const [name, { requests, scripts, kB }] of [
    ['the first order', first],
    ['idle', idle],
  ] as const) {
    figures.set(`requests until ${name}`, requests)
    figures.set(`scripts until ${name}`, scripts)
    figures.set(`kB until ${name}`, kB)
  }
  figures.set('layout shift', shift)
}

const Rows = z.array(z.object({ id: z.string(), number: z.string(), status: z.string() }))

/** The orders of the list, by what the page shows of them. */
async function rowsOf(page: Page) {
  return Rows.parse(
    await page.evaluate(`[...document.querySelectorAll('[data-order]')].map((row) => ({
      id: row.dataset.order,
      number: row.querySelector('[data-opens-details]').ariaLabel.replace('Dettagli ordine ', ''),
      status: row.querySelector('select').value,
    }))`),
  )
}

async function measureDetails({ page, machine, figures }: Measured): Promise<void> {
  const rows = await rowsOf(page)
  const [opened, next] = [rows[3], rows[4]]
  if (!opened || !next) throw new Error('The page has too few orders')
  const group = ({ number }: { number: string }) => `[role=group][aria-label="Ordine ${number}"]`
  const signsOf = (order: { number: string }) => [
    { selector: group(order) },
    { selector: group(order), text: 'Cronologia' },
  ]
  const details = await press(page, {
    does: () => touch(page, machine, `[data-order="${opened.id}"] [data-opens-details]`),
    signs: signsOf(opened),
    request: `/api/orders/${opened.id}`,
  })
  figures.set('details visible', details.signs[0] ?? 0)
  figures.set('details filled', details.signs[1] ?? 0)
  figures.set('details, request leaves', details.request ?? 0)
  await untilIdle(page)
  const following = await press(page, {
    does: () => touch(page, machine, '[aria-label="Ordine successivo"]'),
    signs: signsOf(next),
  })
  figures.set('next order visible', following.signs[0] ?? 0)
  figures.set('next order filled', following.signs[1] ?? 0)
  await page.keyboard.press('Escape')
  await page.locator('[role=dialog]').waitFor({ state: 'detached' })
  await untilIdle(page)
}

async function measureStatus({ page, figures }: Measured): Promise<void> {
  const row = (await rowsOf(page))[1]
  if (!row) throw new Error('The page has too few orders')
  const wanted = row.status === 'Confermato' ? 'Prenotato Domani' : 'Confermato'
  const item = `[data-order="${row.id}"]`
  const { signs } = await press(page, {
    event: 'change',
    does: () => page.locator(`${item} select`).selectOption(wanted),
    signs: [
      { selector: `${item} span[aria-hidden]`, text: wanted },
      { selector: `${item}[data-state=changed]` },
    ],
  })
  figures.set('status in the row', signs[0] ?? 0)
  figures.set('status saved', signs[1] ?? 0)
  await untilIdle(page)
}

async function measureList({ page, machine, figures }: Measured): Promise<void> {
  const found = { selector: 'p[role=status]', text: 'Ordini trovati' }
  const card = 'dl > div:nth-child(3) button'
  const filter = await press(page, {
    does: () => touch(page, machine, card),
    signs: [{ selector: `${card}[aria-pressed=true]` }, found],
    request: '/api/airtable-orders?',
  })
  figures.set('filter answered', filter.signs[0] ?? 0)
  figures.set('filter, rows', filter.signs[1] ?? 0)
  figures.set('filter, request leaves', filter.request ?? 0)
  await touch(page, machine, card)
  await untilIdle(page)

  const next = await press(page, {
    does: () => touch(page, machine, 'nav[aria-label="Pagine degli ordini"] button:last-child'),
    signs: [{ selector: 'nav[aria-label="Pagine degli ordini"] p', text: 'Pagina 2' }],
  })
  figures.set('next page, rows', next.signs[0] ?? 0)
  await untilIdle(page)

  await page.locator('#cerca-ordini').focus()
  const search = await press(page, {
    event: 'input',
    does: () => page.keyboard.press('m'),
    signs: [{ selector: '#cerca-ordini', value: 'm' }, found],
    request: '/api/orders/search',
  })
  figures.set('search letter visible', search.signs[0] ?? 0)
  figures.set('search, rows', search.signs[1] ?? 0)
  await untilIdle(page)
}

async function measureBare({ page, machine, figures, bare }: Measured & { bare: BarePage }) {
  const devtools = await slow(page, machine)
  noteOrders(await load(page, devtools, `${bare.url}/`), figures)
  const details = await press(page, {
    does: () => touch(page, machine, '[data-order]:nth-of-type(4) button'),
    signs: [{ selector: '[role=group]' }, { selector: '[role=group][data-filled]' }],
    request: '/details',
  })
  figures.set('details visible', details.signs[0] ?? 0)
  figures.set('details filled', details.signs[1] ?? 0)
  figures.set('details, request leaves', details.request ?? 0)
  const next = await press(page, {
    does: () => touch(page, machine, '#more'),
    signs: [{ selector: '[data-page="2"]' }],
  })
  figures.set('filter, rows', next.signs[0] ?? 0)
  figures.set('next page, rows', next.signs[0] ?? 0)
  await devtools.detach()
}

const ORDER_LINK = 'a[href^="https://wa.me/"]'

/** Cold, with 'Ordina' pressed as soon as it is visible: the page is still becoming interactive. */
async function measurePublicPage(
  context: BrowserContext,
  machine: Machine,
  url: string,
  figures: Figures,
): Promise<void> {
  const page = await context.newPage()
  const devtools = await slow(page, machine)
  await devtools.send('Network.clearBrowserCache')
  await page.goto(url + PUBLIC_PAGE, { waitUntil: 'commit' })
  const link = page.locator(ORDER_LINK).first()
  await link.waitFor()
  await link.scrollIntoViewIfNeeded()
  const box = await link.boundingBox()
  if (!box) throw new Error('The public page has no link to order')
  await page.evaluate(`felt.watchClick(${JSON.stringify(ORDER_LINK)})`)
  await page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2)
  figures.set("public page, 'Ordina' answered", await page.evaluate<number>('felt.watched()'))
  await page.close()

  // A press ends the search for the largest paint.
  const calm = await context.newPage()
  const watched = await slow(calm, machine)
  await watched.send('Network.clearBrowserCache')
  await calm.goto(url + PUBLIC_PAGE, { waitUntil: 'commit' })
  await calm.waitForLoadState('load')
  await untilIdle(calm)
  const { paint, shift } = Seen.parse(await calm.evaluate('felt.seen()'))
  figures.set('public page, largest paint', paint)
  figures.set('public page, layout shift', shift)
  await calm.close()
  // The chat.
  for (const other of context.pages().slice(1)) await other.close()
}

const digitsOf = (name: string) => (/shift/.test(name) ? 3 : 0)

/** A row for each figure: ours, the bare page, and the ratio, on each machine. */
function lines(table: readonly { machine: Machine; ours: Figures; bare: Figures }[]): string[] {
  const names = [...new Set(table.flatMap(({ ours }) => [...ours.keys()]))]
  const width = Math.max(...names.map(({ length }) => length))
  const head = table.map(({ machine }) => `${machine.name.padStart(9)}    bare  ratio`)
  const body = names.map((name) => {
    const cells = table.map(({ ours, bare }) => {
      const [one, other] = [ours.get(name), bare.get(name)]
      const shown = (value?: number) => value?.toFixed(digitsOf(name)) ?? ''
      const ratio = one !== undefined && other ? (one / other).toFixed(2) : ''
      return `${shown(one).padStart(9)} ${shown(other).padStart(7)} ${ratio.padStart(6)}`
    })
    return `  ${name.padEnd(width)} ${cells.join(' ')}`
  })
  return [`  ${''.padEnd(width)} ${head.join(' ')}`, ...body]
}

const FIRST_GOAL = 1.6
const SCRIPTS_GOAL = 14
const SHIFT_GOALS = { 'layout shift': 0, 'public page, layout shift': 0.02 }
const PAINT_GOAL_MS = 1_000
const ORDER_GOAL_MS = 100
const answers = [
  'details visible',
  'next order visible',
  'status in the row',
  'filter answered',
  'next page, rows',
  'search letter visible',
]

function goalsMissed(
  table: readonly { machine: Machine; ours: Figures; bare: Figures }[],
): string[] {
  return table.flatMap(({ machine, ours, bare }) => {
    const of = (name: string) => ours.get(name) ?? 0
    const goals: [name: string, goal: number][] = [
      ['first order visible', FIRST_GOAL * (bare.get('first order visible') ?? 0)],
      ['scripts until idle', SCRIPTS_GOAL],
      ...answers.map((name): [string, number] => [name, machine.pressGoalMs]),
      ...Object.entries(SHIFT_GOALS),
      ['public page, largest paint', PAINT_GOAL_MS],
      ["public page, 'Ordina' answered", ORDER_GOAL_MS],
    ]
    return goals
      .filter(([name, goal]) => of(name) > goal)
      .map(([name, goal]) => `${name} on the ${machine.name} (goal: at most ${goal.toFixed(0)})`)
  })
}
