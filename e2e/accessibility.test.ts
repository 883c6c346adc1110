import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { administrationScreens } from './support/administration-screens.ts'
import { analyticsScreens } from './support/analytics-screens.ts'
import { type App, accounts, startApp } from './support/app.ts'
import { confirmPresence, enrol, showRecoveryCodes } from './support/authenticator.ts'
import {
  choosePassword,
  enter,
  openAdministration,
  openPage,
  openPharmacy,
  openWritable,
  signIn,
} from './support/browser.ts'
import { query } from './support/database.ts'
import { nthMail } from './support/mail.ts'
import { migrationScreens } from './support/migration-screens.ts'
import { offersOf } from './support/offers.ts'
import { prescriptionScreens } from './support/prescription-screens.ts'
import { priorityScreens } from './support/priority-screens.ts'
import { whatsAppScreens } from './support/whatsapp-screens.ts'

let app: App
let backups: string
/** One page for all screens, which loads and compiles the scripts once. */
let shownPage: Page
beforeAll(async () => {
  backups = await mkdtemp(join(tmpdir(), 'bancone-backups-'))
  app = await startApp({ BACKUP_TO: backups, BACKUP_KEY_FILE: join(backups, 'key') })
  await (await offersOf(app)).showPrescriptionFields()
  shownPage = await openPage(app)
})
afterAll(async () => {
  await app.dispose()
  await rm(backups, { recursive: true, force: true })
  await strict?.then((other) => other.dispose())
})

const screens: Record<string, (page: Page) => Promise<void>> = {
  login: async (page) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'Accedi', exact: true }).waitFor()
  },
  dashboard: async (page) => {
    await signIn(page)
    await page.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()
  },
  'detail dialog': async (page) => {
    await signIn(page)
    await page
      .getByRole('button', { name: /Dettagli/ })
      .first()
      .click()
    await page.getByRole('dialog', { name: 'Dettaglio Ordine' }).getByText('Cronologia').waitFor()
  },
  'message to a customer': async (page) => {
    await signIn(page)
    const details = await openWritable(page)
    await details.getByRole('button', { name: 'WhatsApp' }).click()
    await details.getByRole('button', { name: 'Modifica testi' }).click()
    await details.getByRole('button', { name: 'Nuovo testo' }).click()
    await details.getByLabel('Titolo').waitFor()
  },
  'new order': async (page) => {
    await signIn(page)
    await page.getByRole('button', { name: 'Nuovo ordine', exact: true }).click()
    await page.getByRole('button', { name: 'Salva' }).click()
    await page.getByText('Scrivi il nome del cliente.').waitFor()
  },
  export: async (page) => {
    await signIn(page)
    const more = page.getByRole('button', { name: 'Altro', exact: true })
    if (await more.isVisible()) await more.click()
    await page.getByRole('button', { name: 'Esporta', exact: true }).click()
    await page.getByText('Tutti i 480 ordini.').waitFor()
  },
  'the day': async (page) => {
    await openPharmacy(page, '/orders/day')
    await page.getByRole('heading', { level: 2 }).first().waitFor()
  },
  'API keys': async (page) => {
    await openPharmacy(page, '/account/api-keys')
    await page.getByText('Nessuna chiave').waitFor()
  },
  'data of a customer': async (page) => {
    await openPharmacy(page, '/account/customer-data')
    await query(app, "update pharmacy_orders set wa_id = '393337654321' where order_number = '7'")
    await page.getByLabel('Numero di telefono del cliente').fill('333 765 4321')
    await page.getByRole('button', { name: 'Cerca' }).click()
    await page.getByRole('button', { name: 'Scarica una copia' }).click()
    await page.getByText('Indica come hai verificato chi è.').waitFor()
  },
  'audit log of the pharmacy': async (page) => {
    await openPharmacy(page, '/account/audit')
    await page.getByRole('heading', { name: 'Registro' }).waitFor()
    await page.getByText('Caricamento del registro').waitFor({ state: 'detached' })
  },
  'new API key': async (page) => {
    await openPharmacy(page, '/account/api-keys')
    await page.getByRole('button', { name: 'Nuova chiave' }).click()
    await page.getByRole('button', { name: 'Crea' }).click()
    await page.getByText('Dai un nome alla chiave.').waitFor()
  },
  'profile of the pharmacy': async (page) => {
    await openPharmacy(page, '/account/pharmacy')
    await page.getByRole('button', { name: 'Aggiungi un orario a Lunedì' }).click()
    await page.getByLabel('Colore', { exact: true }).fill('#ffd400')
    await page.getByRole('button', { name: 'Aggiungi una chiusura' }).click()
    await page.getByRole('button', { name: 'Salva' }).click()
    await page.getByText('Scegli il giorno.').first().waitFor()
  },
  account: async (page) => {
    await openAccount(page)
    await page.getByRole('button', { name: 'Cambia email' }).click()
    await page.getByLabel('Nuovo indirizzo email').fill('farmacia')
    await page.keyboard.press('Enter')
    await page.getByText(/non è completo/).waitFor()
  },
  'proof of presence': async (page) => {
    await openAccount(page)
    await secondFactor(page).getByRole('button', { name: 'Attiva' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Continua' }).click()
    await page.getByText('Scrivi la tua password.').waitFor()
  },
  enrolment: async (page) => {
    await openAccount(page)
    const begin = secondFactor(page).getByRole('button', { name: 'Attiva' })
    await begin.click()
    await confirmPresence(page)
    await page.getByRole('img', { name: /Codice QR/ }).waitFor()
    await begin.click()
    await page.getByText("Scrivi le 6 cifre che l'app mostra adesso.").waitFor()
  },
  'recovery codes': async (page) => {
    await withoutFactor(accounts.garibaldi)
    await openAccount(page, accounts.garibaldi)
    await showRecoveryCodes(page)
  },
  'an app and its recovery codes': async (page) => {
    await withoutFactor(accounts.garibaldi)
    await openAccount(page, accounts.garibaldi)
    await enrol(page)
    await page.getByText(/Ne restano 10 di 10/).waitFor()
  },
  'end of the second factor': async (page) => {
    await screens['an app and its recovery codes']?.(page)
    await page.getByRole('button', { name: /^Rimuovi/ }).click()
    await page.getByRole('dialog').waitFor()
  },
  'second step': async (page) => {
    await openSecondStep(page)
    await page.getByLabel('Codice', { exact: true }).press('Enter')
    await page.getByText('Scrivi tutte le 6 cifre del codice.').waitFor()
  },
  'recovery code step': async (page) => {
    await openSecondStep(page)
    await page.getByRole('button', { name: 'Usa un codice di recupero' }).click()
    await page.getByLabel('Codice di recupero').press('Enter')
    await page.getByText('Scrivi uno dei tuoi codici di recupero.').waitFor()
  },
  colleagues: async (page) => {
    await openColleagues(page)
  },
  'invitation of a colleague': async (page) => {
    await openColleagues(page)
    await page.getByRole('button', { name: 'Invita un collega' }).click()
    await page.getByRole('button', { name: 'Invia invito' }).click()
    await page.getByText('Scrivi nome e cognome.').waitFor()
  },
  'change of a colleague': async (page) => {
    await openColleagues(page)
    await page.getByRole('button', { name: 'Modifica Giulia Ferri' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'removal of a colleague': async (page) => {
    await openColleagues(page)
    await page.getByRole('button', { name: 'Rimuovi Giulia Ferri' }).click()
    await page.getByRole('dialog').waitFor()
  },
  'audit log': async (page) => {
    await openAdministration(page, '/admin/audit')
    // The sign-in itself.
    const event = page.locator('summary', { hasText: 'Accesso' }).first()
    await event.click()
    await page.getByText('Indirizzo IP').first().waitFor()
  },
  'account of an administrator': async (page) => {
    await openAdministration(page, '/admin/account')
    await readAccount(page)
  },
  'enrolment that is required': async (page) => {
    strict ??= startApp({ ADMIN_MFA: 'required' })
    await page.goto(`${(await strict).url}/admin/login`)
    await enter(page, accounts.admin)
    await page.getByRole('img', { name: /Codice QR/ }).waitFor()
  },
  'product sheet': async (page) => {
    await openPharmacy(page, '/product-draft')
    await page.getByLabel('Nome del prodotto').fill('Oki bustine')
    await page.getByLabel('Codice prodotto (Minsan)').fill('934208014')
    await page.getByRole('button', { name: 'Da un link' }).click()
    await page.getByRole('button', { name: 'Genera con AI' }).click()
    await page.getByText('Proposta per «Oki bustine»').waitFor()
  },
  offers: async (page) => {
    await openPharmacy(page, '/offers')
    await page.getByText(/offerte attive/).waitFor()
  },
  'offer form': async (page) => {
    await openPharmacy(page, '/offers?offerta=nuova')
    await page.getByRole('option', { name: 'Cosmetici' }).waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Crea offerta' }).click()
    await page.getByText('Compila tutti i campi obbligatori').first().waitFor()
  },
  'order of the offers': async (page) => {
    await openPharmacy(page, '/offers')
    await page.getByRole('button', { name: 'Riordina', exact: true }).click()
    await page.getByRole('button', { name: 'Ordine automatico' }).waitFor()
  },
  'offers on paper': async (page) => {
    await openPharmacy(page, '/offer-sheets')
    await page
      .getByRole('region', { name: /^Foglio/ })
      .first()
      .waitFor()
  },
  'public offers': async (page) => {
    await page.goto('/offers/PHARM-0001')
    await page.getByRole('heading', { name: 'Offerte Speciali' }).waitFor()
  },
  'public offer': async (page) => {
    await page.goto('/offers/PHARM-0001')
    await page.getByRole('article').getByRole('link').first().click()
    await page.getByRole('dialog').waitFor()
  },
  'public offer and list': async (page) => {
    await page.goto('/offers/PHARM-0001')
    await page.getByRole('button', { name: 'Aggiungi alla lista' }).first().click()
    await page.getByRole('button', { name: /^Lista/ }).click()
    const list = page.getByRole('dialog')
    await list.getByText('Hai una ricetta?').click()
    await list.getByLabel('Numero della ricetta (NRE)').fill('1300A4000000248')
    await list.getByLabel('Codice fiscale').fill('RSSMRA79B11C566Q')
    await list.getByText(/Si può mandare lo stesso/).waitFor()
  },
  'what is counted': async (page) => {
    await page.goto('/offers/PHARM-0001/che-cosa-contiamo')
    await page.getByRole('heading', { name: 'Che cosa contiamo' }).waitFor()
  },
  'public offers refused': async (page) => {
    await page.goto('/offers/PHARM-0002')
    await page.getByText('Offerte non disponibili').waitFor()
  },
  'nothing found': async (page) => {
    await signIn(page)
    await page.getByRole('searchbox', { name: 'Cerca' }).fill('nessuno si chiama così')
    await page.getByText('Nessun ordine trovato').waitFor()
  },
  'filters and views': async (page) => {
    await signIn(page)
    await page.getByRole('button', { name: /^Ordini Confermati/ }).click()
    await page.getByRole('button', { name: /^(Filtri|Viste)/ }).click()
    await page.getByRole('button', { name: 'Salva questa vista' }).click()
    await page.getByLabel('Nome della vista').waitFor()
  },
  'selected orders': async (page) => {
    await signIn(page)
    const choose = page.getByRole('button', { name: 'Seleziona', exact: true })
    const boxes = page.getByRole('checkbox', { name: /^Seleziona ordine/ })
    await choose.or(boxes.first()).first().waitFor()
    if (await choose.isVisible()) await choose.click()
    await boxes.nth(1).check()
    await page.getByRole('region', { name: 'Ordini selezionati' }).waitFor()
  },
  shortcuts: async (page) => {
    await signIn(page)
    await page.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()
    await page.waitForFunction(() => document.querySelector('[data-order]') !== null)
    const dialog = page.getByRole('dialog', { name: 'Scorciatoie da tastiera' })
    // The keys come with code of their own: one pressed before it is there does nothing.
    for (let tries = 0; tries < 5 && !(await dialog.isVisible()); tries += 1) {
      await page.keyboard.press('?')
      await dialog.waitFor({ timeout: 3_000 }).catch(() => undefined)
    }
    await dialog.waitFor()
  },
  'administrator login': async (page) => {
    await page.goto('/admin/login')
    await page.getByRole('button', { name: 'Accedi', exact: true }).waitFor()
  },
  administration: async (page) => {
    await openAdministration(page, '/admin')
    await page.getByRole('heading', { level: 1, name: /Dashboard/ }).waitFor()
  },
  'link of a mail': async (page) => {
    await page.goto('/confirm#token_hash=invented&type=recovery')
    await page.getByRole('button', { name: 'Continua' }).waitFor()
  },
  'link that was used': async (page) => {
    await page.goto('/confirm#token_hash=invented&type=recovery')
    await page.getByRole('button', { name: 'Continua' }).click()
    await page.getByText('Il link è scaduto o è già stato usato.').waitFor()
  },
  'new password': async (page) => {
    await openNewPassword(page)
    await choosePassword(page, 'password12', 'altra')
    await page.getByText(/Debole|Discreta/).waitFor()
  },
  privacy: async (page) => {
    await page.goto('/privacy')
    await page.getByRole('heading', { level: 1 }).waitFor()
  },
  'not found': async (page) => {
    await page.goto('/non-esiste')
    await page.getByRole('heading', { name: /Pagina non trovata/ }).waitFor()
  },
  'analytics that is off': async (page) => {
    await withoutFactor(accounts.garibaldi)
    await openPharmacy(page, '/analytics', accounts.garibaldi)
    await page.getByRole('button', { name: 'Upgrade Piano' }).click()
    await page.getByText(/^Per cambiare piano/).waitFor()
  },
  'priority access that is off': async (page) => {
    await withoutFactor(accounts.garibaldi)
    await openPharmacy(page, '/priority', accounts.garibaldi)
    await page.getByText('Funzionalità Priority Access non abilitata').waitFor()
  },
  // Last: they add orders.
  ...administrationScreens,
  ...analyticsScreens(() => app),
  ...whatsAppScreens(() => app),
  ...migrationScreens,
  ...prescriptionScreens(() => app),
  ...priorityScreens(() => app),
}

/** Where administrators must have a second factor. */
let strict: Promise<App> | undefined

async function readAccount(page: Page): Promise<void> {
  const activity = page.getByRole('region', { name: 'Attività recente' })
  await activity.getByText('Accesso riuscito').first().waitFor()
  await page.getByText('Questo dispositivo').waitFor()
}

async function openAccount(page: Page, email: string = accounts.sanMarco): Promise<void> {
  await openPharmacy(page, '/account', email)
  await readAccount(page)
}

async function openColleagues(page: Page): Promise<void> {
  await openPharmacy(page, '/account/colleagues')
  await page.getByText(accounts.giulia).waitFor()
}

function secondFactor(page: Page) {
  return page.getByRole('region', { name: 'Verifica in due passaggi' })
}

/** No other screen signs in as the colleague, who has a second factor from then on. */
async function openSecondStep(page: Page): Promise<void> {
  const step = page.getByRole('heading', { name: 'Verifica in due passaggi' })
  await page.goto('/login')
  await enter(page, accounts.giulia)
  const orders = page.getByRole('heading', { level: 1, name: 'Ordini' })
  await step.or(orders).waitFor()
  if (await orders.isVisible()) {
    await page.goto('/account')
    await enrol(page)
    await page.getByRole('button', { name: /^Farmacia/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await enter(page, accounts.giulia)
  }
  await step.waitFor()
}

/** Takes their second factor away: from the account with the next sign-in it is as if there was none. */
async function withoutFactor(email: string): Promise<void> {
  await query(
    app,
    'delete from auth_factors where user_id = (select id from auth_users where email = $1)',
    [email],
  )
}

let recoveries = 0

/** The form a recovery link leads to. */
async function openNewPassword(page: Page): Promise<void> {
  recoveries += 1
  await withoutFactor(accounts.garibaldi)
  // An account may ask for one mail a minute.
  await query(app, 'delete from rate_limits')
  await page.goto('/login')
  await page.getByLabel('Email').fill(accounts.garibaldi)
  await page.getByRole('button', { name: 'Password dimenticata?' }).click()
  const subject = 'Scegli una nuova password'
  await page.goto((await nthMail(app, accounts.garibaldi, recoveries, subject)).link)
  await page.getByRole('button', { name: 'Continua' }).click()
  await page.getByLabel('Nuova password', { exact: true }).waitFor()
}

/** Narrow first: what opens a screen on a telephone is there, and staying open it becomes wide. */
const widths = [360, 1440]

type Problem = { id: string; nodes: string[] }

/** Leaves the last screen, and what it has stored. The server's health answer is a page of the same origin. */
async function emptyStorage(page: Page): Promise<void> {
  await page.goto(`${app.url}/healthz`)
  await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
  })
  await page.context().clearCookies()
}

/** Colours change at once from now on: one on its way to another has the contrast of neither. */
async function endTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('*, ::before, ::after { transition-property: none !important }')
    document.adoptedStyleSheets.push(sheet)
  })
}

/** The same screen in another window or theme, painted. */
async function look(page: Page, width: number, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme })
  await page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))
  })
}

/**
 * What axe finds on the page as it is. Colours are read where the user is: beneath a modal dialog lies a screen that is
 * checked by itself.
 */
async function problemsOf(page: Page, what: 'all' | 'colours'): Promise<Problem[]> {
  const found = await page.evaluate(async (onlyColours) => {
    const injected = Object.getOwnPropertyDescriptor(window, 'axe')?.value as typeof axe
    const isModal = document.querySelector('[data-aria-hidden]') !== null
    const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')]
    const shown = (isModal ? dialogs.at(-1) : undefined) ?? document
    const options = { resultTypes: ['violations' as const], preload: false }
    const colours = { ...options, runOnly: ['color-contrast'] }
    const others = { ...options, rules: { 'color-contrast': { enabled: false } } }
    const results = onlyColours
      ? [await injected.run(shown, colours)]
      : shown === document
        ? [await injected.run(document, options)]
        : [await injected.run(shown, colours), await injected.run(document, others)]
    return {
      passes: results.flatMap(({ passes }) => passes.map(({ id }) => id)),
      problems: results
        .flatMap(({ violations }) => violations)
        .map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) })),
    }
  }, what === 'colours')
  expect(found.passes).toContain('color-contrast')
  if (what === 'all') expect(found.passes.length).toBeGreaterThan(11)
  return found.problems
}

describe('axe finds nothing, narrow and wide, light and dark, nor is it wider than its window', () => {
  it.each(Object.entries(screens))('%s', async (_name, open) => {
    const page = shownPage
    await emptyStorage(page)
    await look(page, widths[0] ?? 0, 'light')
    await open(page)
    await page.evaluate(axe.source)
    await endTransitions(page)
    for (const width of widths) {
      await look(page, width, 'light')
      expect([width, 'light', await problemsOf(page, 'all')]).toEqual([width, 'light', []])
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect([width, excess]).toEqual([width, Math.min(excess, 0)])
      // In the dark nothing but the colours is different.
      await look(page, width, 'dark')
      expect([width, 'dark', await problemsOf(page, 'colours')]).toEqual([width, 'dark', []])
    }
  })
})
