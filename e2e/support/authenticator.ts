import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { password } from './app.ts'

const STEP_MS = 30_000

/** An authenticator app on a telephone. */
export type Authenticator = { next(): string }

/** The server takes no code twice, and one of the next half minute as well: each is of a later one. */
export function authenticatorOf(secret: string): Authenticator {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  let last = 0
  return {
    next() {
      const now = Math.floor(Date.now() / STEP_MS)
      last = Math.max(last + 1, now)
      if (last > now + 1) throw new Error('there is no code that was not used')
      return totp.generate({ timestamp: last * STEP_MS })
    },
  }
}

/** On the account page: adds a second factor, and comes back with the app and the recovery codes. */
export async function enrol(page: Page): Promise<{ app: Authenticator; codes: string[] }> {
  const app = await showRecoveryCodes(page)
  const codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts()
  await page.getByRole('button', { name: 'Li ho salvati' }).click()
  await page.getByText('Verifica in due passaggi attiva').waitFor()
  return { app, codes }
}

/** The same, as far as the recovery codes that are to be kept. */
export async function showRecoveryCodes(page: Page): Promise<Authenticator> {
  await section(page).getByRole('button', { name: 'Attiva' }).click()
  await confirmPresence(page)
  await page.getByRole('img', { name: /Codice QR/ }).waitFor()
  const secret = (await section(page).locator('code').innerText()).replaceAll(' ', '')
  const app = authenticatorOf(secret)
  await page.getByLabel('Codice di 6 cifre').fill(app.next())
  await page.getByRole('dialog', { name: 'Salva i codici di recupero' }).waitFor()
  return app
}

/** Answers the dialog that asks for the password once more. */
export async function confirmPresence(page: Page): Promise<void> {
  await page.getByLabel('La tua password', { exact: true }).fill(password)
  await page.getByRole('dialog').getByRole('button', { name: 'Continua' }).click()
}

function section(page: Page) {
  return page.getByRole('region', { name: 'Verifica in due passaggi' })
}
