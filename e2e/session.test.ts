import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, startApp } from './support/app.ts'
import { enter, openContext, openPage, signIn } from './support/browser.ts'
import { query } from './support/database.ts'

let app: App
beforeAll(async () => {
  app = await startApp({ PREVIEW_HOSTS: 'localhost' })
})
afterAll(() => app.dispose())

const ofUser = 'select id from auth_users where email = $1'

describe('a session', () => {
  it('that ends while one works leads to the login by itself, and back to the same place', async () => {
    const page = await openPage(app)
    await signIn(page, accounts.garibaldi)
    await page.getByRole('button', { name: 'Successiva' }).click()
    await page.getByText(/^Pagina 2 di 2 • 10/).waitFor()
    await query(app, `delete from auth_sessions where user_id = (${ofUser})`, [accounts.garibaldi])

    await page.waitForURL('**/login')
    await page.getByText('La sessione è scaduta. Accedi di nuovo.').waitFor()
    await page.reload()
    await enter(page, accounts.garibaldi)
    await page.getByText(/^Pagina 2 di 2 • 10/).waitFor()
    expect(new URL(page.url()).search).toContain('page=2')
  })

  it('is refreshed with no word about it when its token has expired, in two tabs at once', async () => {
    const context = await openContext(app)
    const page = await context.newPage()
    await signIn(page)
    // The token is as good as over: the client refreshes it as soon as it looks.
    const expire = () => {
      const key = 'bancone-pharmacy-auth'
      const session = JSON.parse(localStorage.getItem(key) ?? '{}') as { expires_at: number }
      session.expires_at = Math.floor(Date.now() / 1000) - 5
      localStorage.setItem(key, JSON.stringify(session))
    }
    await page.evaluate(expire)
    const tab = await context.newPage()
    await Promise.all([page.reload(), tab.goto('/')])
    for (const each of [page, tab]) {
      await each.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()
    }
    await page.evaluate(expire)
    await page.reload()
    await page.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()
  })

  it('does not outlive a reload on a host of previews', async () => {
    const url = new URL(app.url)
    url.hostname = 'localhost'
    const context = await openContext({ ...app, url: url.origin })
    const page = await context.newPage()
    await signIn(page, accounts.garibaldi)
    await page.reload()
    await page.waitForURL('**/login')
    expect(await page.evaluate(() => localStorage.length)).toBe(0)

    const usual = await openPage(app)
    await signIn(usual, accounts.garibaldi)
    await usual.reload()
    await usual.getByRole('table').waitFor()
  })
})
