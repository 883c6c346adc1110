import { join } from 'node:path'
import { paths } from '@bancone/contract/pages'
import pg from 'pg'
import type { CDPSession, Page } from 'playwright-core'
import type { Bench } from './bench.ts'
import {
  DEMO_PASSWORD,
  demoAccounts,
  described,
  type Figures,
  load,
  type Machine,
  machines,
  medians,
  open,
  press,
  type Sign,
  signIn,
  slow,
  touch,
  untilIdle,
} from './felt-browser.ts'

const PHARMACIES = 500
const keys = { pharmacy: 'bancone-pharmacy-auth', admin: 'bancone-admin-auth' } as const

const CARD = '[id^="visita-"]:has(h3)'
const LISTED_PHARMACY = ':is(main th[scope=row], ul[aria-label="Farmacie"] h2) a'
const ORDER = '[data-order]'
const PRESSED = 'main a[data-pressed]'

/** With what each is opened for. */
const pages = {
  offers: { name: 'offers', path: paths.offers, content: '[data-offer]' },
  analytics: { name: 'analytics', path: paths.analytics, content: '[role=tabpanel] figure' },
  priority: { name: 'priority board', path: paths.priority, content: CARD },
  whatsapp: { name: 'whatsapp', path: paths.whatsapp, content: 'main section' },
  pharmacies: { name: 'pharmacies', path: paths.adminPharmacies, content: LISTED_PHARMACY },
  login: { name: 'login', path: paths.login, content: 'input[type=password]' },
} as const

type Measured = {
  page: Page
  machine: Machine
  devtools: CDPSession
  url: string
  figures: Figures
}

/** What a person waits for on the pages besides that of the orders, on the machines of `benchFelt`. */
export async function benchFeltPages(bench: Bench): Promise<void> {
  const { say, missed, start, folder, runs } = bench
  const databaseUrl = await databaseOfDemo(bench)
  const { url } = await start(['dist/server/main.js'], {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    APP_SECRET: 'a secret of the benchmarks, long enough',
    DEMO: '1',
    DEMO_ORDER_EVERY: '0',
  })
  await addPharmacies(databaseUrl)
  const sessions = {
    pharmacy: await signIn(url, demoAccounts.pharmacy),
    admin: await signIn(url, demoAccounts.admin),
  }
  const table: { machine: Machine; figures: Figures }[] = []
  for (const machine of machines) {
    const context = await open(machine, join(folder, `profile-of-pages-${machine.name}`))
    try {
      const page = context.pages()[0] ?? (await context.newPage())
      await page.goto(`${url}/healthz`)
      for (const area of ['pharmacy', 'admin'] as const) await store(page, area, sessions[area])
      const { ours } = await medians(runs, async (round) => {
        const devtools = await slow(page, machine)
        const measured = { page, machine, devtools, url, figures: round.ours }
        await measureOpening(measured)
        await measureNavigation(measured)
        await measureOffers(measured)
        await measureAnalytics(measured)
        await measureBoard(measured)
        await measurePharmacies(measured)
        await measureSignIn(measured)
        await store(page, 'pharmacy', sessions.pharmacy)
        await devtools.detach()
      })
      table.push({ machine, figures: ours })
    } finally {
      await context.close()
    }
  }
  say(`The other pages, medians of ${runs}; times in milliseconds`)
  for (const { machine } of table) say(described(machine))
  for (const line of lines(table)) say(line)
  for (const { machine, figures } of table) {
    for (const [name, value] of figures) {
      const goal = goalOf(name, machine)
      if (value > goal) missed.push(`${name} on the ${machine.name} (goal: at most ${goal})`)
    }
  }
}

/** A database of its own, into which rows can be written. */
async function databaseOfDemo({ pool, database }: Bench): Promise<string> {
  await pool.query('create database felt_pages')
  const url = new URL(database.url)
  url.pathname = '/felt_pages'
  return url.href
}

/** As many pharmacies as a large operator has. They are not signed in to. */
async function addPharmacies(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into auth_users (email, password_hash, email_confirmed_at)
       select 'felt-' || n || '@example.it', '', now() from generate_series(1, $1::int) n`,
      [PHARMACIES],
    )
    await client.query(
      `insert into pharmacies (id, pharmacy_id, name, email, address, use_supabase_orders)
       select id, 'FELT-' || n, 'Farmacia San Marco ' || n, email, 'Via Roma ' || n || ', Padova', true
       from (select id, email, row_number() over (order by email) n from auth_users
             where email like 'felt-%') users`,
    )
  } finally {
    await client.end()
  }
}

async function store(page: Page, area: keyof typeof keys, session: string): Promise<void> {
  await page.evaluate(
    `localStorage.setItem(${JSON.stringify(keys[area])}, ${JSON.stringify(session)})`,
  )
}

async function measureOpening(measured: Measured): Promise<void> {
  const { offers, analytics, priority, whatsapp, pharmacies } = pages
  for (const opened of [offers, analytics, priority, whatsapp, pharmacies]) {
    await measureLoad(measured, opened)
  }
}

type PageOf = (typeof pages)[keyof typeof pages]

async function measureLoad(measured: Measured, { name, path, content }: PageOf): Promise<void> {
  const { page, devtools, url, figures } = measured
  const { first, idle, shift } = await load(page, devtools, url + path, content)
  figures.set(`${name}: visible`, first.at)
  figures.set(`${name}: idle`, idle.at)
  figures.set(`${name}: main thread until idle`, idle.thread)
  figures.set(`${name}: requests until idle`, idle.requests)
  figures.set(`${name}: scripts until idle`, idle.scripts)
  figures.set(`${name}: kB until idle`, idle.kB)
  figures.set(`${name}: layout shift`, shift)
}

type Press = {
  event?: string
  does: () => Promise<unknown>
  /** Any change by which a person sees that the press was heard. */
  answer: Sign
  content?: Sign
}

/** Presses, and waits until nothing happens any more. */
async function measurePress({ page, figures }: Measured, name: string, asked: Press) {
  const { answer, content, ...rest } = asked
  const { signs } = await press(page, { ...rest, signs: content ? [answer, content] : [answer] })
  figures.set(`${name}: ${ANSWERED}`, signs[0] ?? 0)
  if (content) figures.set(`${name}: content`, signs[1] ?? 0)
  await untilIdle(page)
}

const ANSWERED = 'answered'
const MENU = 'header [aria-haspopup=menu]'

/** The links of the dashboard, which a narrow screen has in a menu. The code of their pages is not there yet. */
async function measureNavigation(measured: Measured): Promise<void> {
  const { page, machine, devtools, url } = measured
  await load(page, devtools, `${url}${paths.dashboard}`)
  for (const { name, path, content } of [pages.offers, pages.analytics, pages.priority]) {
    if (machine.touch) {
      await measurePress(measured, 'menu', {
        does: () => touch(page, machine, MENU),
        answer: { selector: '[role=menu]' },
      })
    }
    const link = `header a[href="${path}"]`
    await measurePress(measured, `link to ${name}`, {
      does: () => touch(page, machine, link),
      answer: machine.touch
        ? { selector: '[role=menu]', absent: true }
        : { selector: `${link}[aria-current=page]` },
      content: { selector: content },
    })
    await page.goBack()
    await page.locator(ORDER).first().waitFor()
    await untilIdle(page)
  }
}

async function measureOffers(measured: Measured): Promise<void> {
  const { page, machine, devtools, url } = measured
  const { path, content } = pages.offers
  await load(page, devtools, url + path, content)
  const toggle = `${content}:nth-of-type(2) [role=switch]`
  const isOn = (await page.locator(toggle).getAttribute('aria-checked')) === 'true'
  await measurePress(measured, 'switch of an offer', {
    does: () => touch(page, machine, toggle),
    answer: { selector: `${toggle}[aria-checked=${!isOn}]` },
    content: { selector: `${content}:nth-of-type(2)[aria-busy=false]` },
  })
  await measurePress(measured, 'tab of offers', {
    does: () => touch(page, machine, '[role=tab]:nth-of-type(3)'),
    answer: { selector: '[role=tab]:nth-of-type(3)[aria-selected=true]' },
  })
  await touch(page, machine, '[role=tab]:nth-of-type(1)')
  await untilIdle(page)
  await page.locator('input[type=search]').focus()
  await measurePress(measured, 'search letter of offers', {
    event: 'input',
    does: () => page.keyboard.press('a'),
    answer: { selector: 'input[type=search]', value: 'a' },
    content: { selector: '[role=status]', text: 'Trovate' },
  })
  await measurePress(measured, 'offer', {
    does: () => touch(page, machine, `${content}:nth-of-type(1) a`),
    answer: { selector: `${PRESSED}, ${content}[data-opened], main:not(:has(${content}))` },
    content: { selector: 'main h2', text: 'Modifica offerta' },
  })
}

async function measureAnalytics(measured: Measured): Promise<void> {
  const { page, machine, devtools, url } = measured
  const { path, content } = pages.analytics
  await load(page, devtools, url + path, content)
  for (const [n, tab] of [
    [2, 'Traffico'],
    [3, 'Ordini'],
  ] as const) {
    await measurePress(measured, `tab ${tab} of analytics`, {
      does: () => touch(page, machine, `[role=tab]:nth-of-type(${n})`),
      answer: { selector: `[role=tab]:nth-of-type(${n})[aria-selected=true]` },
      content: { selector: `[role=tabpanel][aria-label="${tab}"] figure` },
    })
  }
  await touch(page, machine, '[role=tab]:nth-of-type(1)')
  await untilIdle(page)
  const weekday = new Date().toLocaleDateString('it-IT', {
    weekday: 'long',
    timeZone: 'Europe/Rome',
  })
  await measurePress(measured, 'period of analytics', {
    event: 'change',
    does: () => page.locator('select').first().selectOption('oggi'),
    answer: { selector: 'section p', text: `${weekday[0]?.toUpperCase()}${weekday.slice(1)} ` },
    content: { selector: 'main p', text: 'Dati di oggi' },
  })
}

/** The first customer is marked as absent, and put back. */
async function measureBoard(measured: Measured): Promise<void> {
  const { page, machine, devtools, url } = measured
  const { path, content } = pages.priority
  await load(page, devtools, url + path, content)
  const id = await page.locator(content).first().getAttribute('id')
  const card = `[id="${id}"]`
  await measurePress(measured, 'customer absent', {
    does: () => touch(page, machine, `${card} button:last-of-type`),
    answer: { selector: `${card} button:not([aria-disabled])`, absent: true },
    content: { selector: card, absent: true },
  })
  // Its toast takes a moment to fade out.
  const undo = '[data-sonner-toast][data-removed=false] button[data-action]'
  await measurePress(measured, 'customer put back', {
    does: () => touch(page, machine, undo),
    answer: { selector: undo, absent: true },
    content: { selector: card },
  })
  await measurePress(measured, 'tab of the board', {
    does: () => touch(page, machine, '[role=tab]:nth-of-type(2)'),
    answer: { selector: '[role=tab]:nth-of-type(2)[aria-selected=true]' },
  })
}

async function measurePharmacies(measured: Measured): Promise<void> {
  const { page, machine, devtools, url } = measured
  const { path, content } = pages.pharmacies
  await load(page, devtools, url + path, content)
  const listed = 'nav[aria-label="Pagine delle farmacie"]'
  await measurePress(measured, 'next pharmacies', {
    does: () => touch(page, machine, `${listed} button:last-child`),
    answer: { selector: `${listed} p`, text: 'Pagina 2' },
  })
  await page.locator('input[type=search]').focus()
  await measurePress(measured, 'search letter of pharmacies', {
    event: 'input',
    does: () => page.keyboard.press('m'),
    answer: { selector: 'input[type=search]', value: 'm' },
    content: { selector: '[role=status]', text: 'Farmacie trovate' },
  })
  const first = (await page.locator(content).first().getAttribute('href')) ?? ''
  await measurePress(measured, 'pharmacy', {
    does: () => touch(page, machine, `a[href="${first}"]`),
    answer: { selector: `${PRESSED}, main:not(:has(${content}))` },
    content: { selector: 'main form' },
  })
}

/** From the press to the first order, with the time limit of no press: the password is checked by design slowly. */
async function measureSignIn(measured: Measured): Promise<void> {
  const { page, machine, url } = measured
  await page.goto(`${url}/healthz`)
  await page.evaluate(`localStorage.removeItem(${JSON.stringify(keys.pharmacy)})`)
  await measureLoad(measured, pages.login)
  await page.locator('input[type=email]').fill(demoAccounts.pharmacy)
  await page.locator('input[type=password]').fill(DEMO_PASSWORD)
  await measurePress(measured, 'sign-in', {
    does: () => touch(page, machine, 'button[type=submit]'),
    answer: { selector: 'button[type=submit][aria-disabled=true]' },
    content: { selector: ORDER },
  })
}

const SHIFT_GOAL = 0.02

/** Of what has one: presses and layout shifts. */
function goalOf(name: string, { pressGoalMs }: Machine): number {
  if (name.endsWith(ANSWERED)) return pressGoalMs
  return name.endsWith('layout shift') ? SHIFT_GOAL : Infinity
}

function lines(table: readonly { machine: Machine; figures: Figures }[]): string[] {
  const names = [...new Set(table.flatMap(({ figures }) => [...figures.keys()]))]
  const width = Math.max(...names.map(({ length }) => length))
  const digits = (name: string) => (name.endsWith('shift') ? 3 : 0)
  const head = table.map(({ machine }) => machine.name.padStart(9)).join('')
  const body = names.map((name) => {
    const cells = table.map(({ figures }) => figures.get(name)?.toFixed(digits(name)) ?? '')
    return `  ${name.padEnd(width)}${cells.map((cell) => cell.padStart(9)).join('')}`
  })
  return [`  ${''.padEnd(width)}${head}`, ...body]
}
