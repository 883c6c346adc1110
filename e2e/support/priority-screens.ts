import { createHash, randomBytes } from 'node:crypto'
import { addDays, dayOf } from '@bancone/contract/dates'
import type { PriorityStatus } from '@bancone/contract/priority'
import type { Page } from 'playwright-core'
import { z } from 'zod'
import type { App } from './app.ts'
import { openPharmacy, openWritable, signIn } from './browser.ts'
import { query } from './database.ts'
import { type Priority, priorityOf } from './priority.ts'

const Profiles = z.array(z.object({ opening_week: z.unknown(), closings: z.unknown() }))

type Screens = Record<string, (page: Page) => Promise<void>>

/** How each screen of priority access is opened: those of the staff, of the customers and of the room. */
export function priorityScreens(app: () => App): Screens {
  let priority: Promise<Priority> | undefined

  /** The page of a customer whose session has come to that state. */
  async function openSession(page: Page, status: PriorityStatus, withToken = true): Promise<void> {
    priority ??= priorityOf(app())
    const { url, prioritySessionId } = await (await priority).session(`Accessibile ${status}`)
    await query(
      app(),
      `update priority_access_sessions
       set status = $2, called_by = case $2 when 'called' then 'Banco 2' end,
         arrived_at = case when $2 in ('user_arrived', 'called') then now() end,
         called_at = case $2 when 'called' then now() end,
         ended_at = case $2 when 'expired' then now() end
       where id = $1`,
      [prioritySessionId, status],
    )
    await page.goto(withToken ? url : url.replace(/#.*/, ''))
  }

  return {
    // Sessions of their own: those of the demo end at midnight.
    'priority access': async (page) => {
      await openSession(page, 'on_the_way')
      await openSession(page, 'user_arrived')
      await openPharmacy(page, '/priority')
      await page
        .getByRole('button', { name: /^Chiama Cliente/ })
        .first()
        .waitFor()
      await page.getByRole('heading', { name: /^In arrivo/ }).waitFor()
    },
    'priority access, called': async (page) => {
      await openSession(page, 'called')
      await openPharmacy(page, '/priority?scheda=completati')
      await page
        .getByRole('button', { name: /^Consegnato/ })
        .first()
        .waitFor()
    },
    'settings of priority access': async (page) => {
      await openPharmacy(page, '/priority/settings')
      await page.getByRole('button', { name: 'Nuovo schermo' }).click()
      await page.getByRole('button', { name: 'Crea' }).click()
      await page.getByText('Dai un nome allo schermo.').waitFor()
    },
    'report of priority access': async (page) => {
      await openPharmacy(page, '/priority/report')
      await page.getByText('Arrivi per ora').first().waitFor()
    },
    'poster of priority access': async (page) => {
      await openPharmacy(page, '/priority/poster')
      await page.getByRole('img', { name: /QR code/ }).waitFor()
    },
    'link of a customer': async (page) => {
      await signIn(page)
      await (await openWritable(page)).getByRole('button', { name: 'Invia link Priority' }).click()
      await page.getByText('Vale fino al').waitFor()
    },
    'customer with a link': async (page) => {
      await openSession(page, 'link_sent')
      await page.getByRole('radio', { name: 'In auto' }).check()
      await page.getByLabel(/^Posto/).waitFor()
    },
    'customer of a closed pharmacy': async (page) => {
      const day = dayOf(Date.now())
      const week = Array.from({ length: 7 }, () => [{ from: '08:00', to: '13:00' }])
      const setHours = (hours: unknown, closings: unknown) =>
        query(
          app(),
          `insert into pharmacy_profiles (pharmacy_id, opening_week, closings)
           select id, $1::jsonb, $2::jsonb from pharmacies where pharmacy_id = 'PHARM-0001'
           on conflict (pharmacy_id) do update
             set opening_week = excluded.opening_week, closings = excluded.closings`,
          [JSON.stringify(hours), JSON.stringify(closings)],
        )
      const [before] = Profiles.parse(
        await query(
          app(),
          `select opening_week, closings from pharmacy_profiles
           where pharmacy_id = (select id from pharmacies where pharmacy_id = 'PHARM-0001')`,
        ),
      )
      await setHours(week, [{ from: addDays(day, -1), to: addDays(day, 1), note: '' }])
      await openSession(page, 'link_sent')
      await page.getByText(/^Chiuso · apre/).waitFor()
      await page.getByRole('button', { name: 'Sono in farmacia' }).click()
      await page.getByText('La farmacia è chiusa in questo momento.').waitFor()
      await setHours(before?.opening_week ?? null, before?.closings ?? [])
    },
    'customer who waits': async (page) => {
      await openSession(page, 'user_arrived')
      await page.getByRole('button', { name: 'Cambia il posto di attesa' }).click()
      await page.getByRole('button', { name: 'Non aspetto più' }).click()
      await page.getByRole('group', { name: 'Conferma' }).waitFor()
    },
    'customer who is called': async (page) => {
      await openSession(page, 'called')
      await page.getByText('Sei Stato Chiamato!').waitFor()
    },
    'customer of an expired link': async (page) => {
      await openSession(page, 'expired')
      await page.getByText('Link scaduto').waitFor()
    },
    'customer without the token': async (page) => {
      await openSession(page, 'link_sent', false)
      await page.getByRole('button', { name: 'Continua' }).click()
      await page.getByText('Servono le ultime quattro cifre del telefono.').waitFor()
    },
    'customer at the poster': async (page) => {
      await page.goto('/priority/PHARM-0001')
      await page.getByRole('button', { name: 'Continua' }).click()
      await page.getByText('Serve il numero dell’ordine.').waitFor()
    },
    'customer of no order': async (page) => {
      await page.goto('/priority/PHARM-0001/recNessuno')
      await page.getByText('Ordine non trovato').waitFor()
    },
    'display in the room': async (page) => {
      const token = randomBytes(16)
      await query(
        app(),
        `insert into priority_displays (pharmacy_id, name, token_hash)
         select id, 'Sala', $1 from pharmacies where pharmacy_id = 'PHARM-0001'`,
        [createHash('sha256').update(token.toString('base64url')).digest()],
      )
      await page.goto(`/priority/display#t=${token.toString('base64url')}`)
      await page
        .getByText(/^Banco \d$/)
        .first()
        .waitFor()
      await page.getByText(/^In attesa: \d/).waitFor()
    },
  }
}
