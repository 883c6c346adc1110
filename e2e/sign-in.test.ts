import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, password, startApp } from './support/app.ts'
import { confirmPresence } from './support/authenticator.ts'
import { enter, openContext, openPage, openPharmacy, signIn } from './support/browser.ts'
import { query } from './support/database.ts'
import { until } from './support/process.ts'

let app: App
beforeAll(async () => {
  app = await startApp({ PREVIEW_HOSTS: 'localhost' })
})
afterAll(() => app.dispose())

describe('signing in', () => {
  it('says what is wrong with a wrong password, keeps the address, and lets the right one in', async () => {
    const page = await openPage(app)
    await page.goto('/')
    await page.waitForURL('**/login')

    await page.getByLabel('Email').fill(accounts.sanMarco)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Accedi', exact: true }).click()
    await page.getByText('Credenziali non valide. Riprova per favore.').waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(accounts.sanMarco)

    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()
    await page.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  it('lasts over a reload and into another tab, and leads away from the login', async () => {
    const page = await openPage(app)
    await signIn(page)
    await page.reload()
    await page.getByRole('table').waitFor()
    const tab = await page.context().newPage()
    await tab.goto('/login')
    await tab.waitForURL((url) => url.pathname === '/')
    await tab.getByRole('table').waitFor()
  })

  it('ends in every tab, and the back button shows no orders', async () => {
    const page = await openPage(app)
    await signIn(page)
    await page.getByRole('button', { name: 'Successiva' }).click()
    await page.getByText(/^Pagina 2 di 24 • 20/).waitFor()
    const tab = await page.context().newPage()
    await tab.goto('/')
    await tab.getByRole('table').waitFor()

    await page.getByRole('button', { name: /Farmacia San Marco/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    await page.waitForURL('**/login')
    await tab.waitForURL('**/login')

    await page.goBack()
    await page.getByRole('button', { name: 'Accedi', exact: true }).waitFor()
    expect(await page.getByRole('table').count()).toBe(0)
    await page.goto('/')
    await page.waitForURL('**/login')
    expect(await page.getByRole('table').count()).toBe(0)
  })

  it('does not redirect to another site, and accepts no request of one', async () => {
    const reply = await fetch(`${app.url}/login`, { headers: { accept: 'text/html' } })
    const policy = reply.headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(await reply.text()).not.toMatch(/<script>|<style>| on\w+=/)
  })
})

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

const orders = (page: Page) => page.getByRole('heading', { level: 1, name: 'Ordini' })
const linked = (page: Page) => page.getByRole('region', { name: 'Accessi collegati' })

async function choose(page: Page, email: string) {
  await page.getByRole('button', { name: email }).click()
}

describe('another service', () => {
  // The stand-in loads with the first request, for longer than a sign-in waits on a busy machine.
  beforeAll(() =>
    until('the service to answer', async () => {
      const address = `${app.url}/auth/v1/authorize?provider=demoid`
      const { headers } = await fetch(address, { redirect: 'manual' })
      return new URL(headers.get('location') ?? '', app.url).origin !== app.url
    }),
  )

  it('lets in who has an account, back to the page they wanted', async () => {
    const page = await openPage(app, { width: 360, height: 740 })
    await page.goto('/account')
    await page.waitForURL('**/login')
    await page.getByRole('button', { name: 'Accedi con DemoID' }).click()
    await choose(page, accounts.garibaldi)
    await page.getByRole('heading', { level: 1, name: 'Sicurezza' }).waitFor()
    const address = new URL(page.url())
    expect([address.pathname, address.search, address.hash]).toEqual(['/account', '', ''])
    await linked(page).getByText(accounts.garibaldi).waitFor()
  })

  it('is linked and unlinked by who is signed in', async () => {
    const page = await openPage(app)
    await openPharmacy(page, '/account')
    await linked(page).getByRole('button', { name: 'Collega DemoID' }).click()
    await confirmPresence(page)
    await choose(page, 'ospite@demo.bancone.it')
    await linked(page).getByText('ospite@demo.bancone.it').waitFor()

    const elsewhere = await openPage(app)
    await elsewhere.goto('/login')
    await elsewhere.getByRole('button', { name: 'Accedi con DemoID' }).click()
    await choose(elsewhere, 'ospite@demo.bancone.it')
    await orders(elsewhere).waitFor()
    await elsewhere.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()

    await linked(page).getByRole('button', { name: 'Scollega DemoID' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Scollega' }).click()
    await linked(page).getByText('Non collegato').waitFor()

    const late = await openPage(app)
    await late.goto('/login')
    await late.getByRole('button', { name: 'Accedi con DemoID' }).click()
    await choose(late, 'ospite@demo.bancone.it')
    await late
      .getByRole('alert')
      .filter({ hasText: /account/ })
      .waitFor()
  })
})
