import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, password, startApp } from './support/app.ts'
import { openPage, signIn } from './support/browser.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
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
