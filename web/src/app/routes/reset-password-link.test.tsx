import { getOwnAdministrator } from '@bancone/contract/administrators'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { authError } from '../../../test/auth-error.ts'
import { fill } from '../../../test/fill.ts'
import { administrator, orders, sessionOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith, storeSession } from '../../../test/render-app.tsx'
import { deferred } from '../../../test/stub-api.ts'

const form = () => screen.queryByLabelText('Nuova password')
const rule = /^Per sicurezza la password si cambia solo dal link/

test('a spinner stands while the session is not known', async () => {
  const answer = deferred<Response>()
  const api = serverWith([]).auth('POST', '/token', () => answer.promise)
  storeSession('pharmacy', sessionOf(undefined, { method: 'otp', lasts: -60 }))
  renderApp('/reset-password', api, { signedIn: false })
  expect((await screen.findByRole('status')).textContent).toBe('Caricamento in corso…')
  expect(screen.queryByText('Serve un link')).toBeNull()
  answer.resolve(Response.json(sessionOf(undefined, { method: 'otp' })))
  expect(await screen.findByLabelText('Nuova password')).toBeDefined()
})

test('without a session there is no form, but the way to a link', async () => {
  const { user } = renderApp('/reset-password', serverWith([]), { signedIn: false })
  expect(await screen.findByText(rule)).toBeDefined()
  expect(form()).toBeNull()
  await user.click(screen.getByRole('link', { name: "Vai all'accesso" }))
  expect(await screen.findByText(/^Per un nuovo link scrivi la tua email/)).toBeDefined()
  expect(location.pathname).toBe('/login')
})

test('a session that began with the password is not enough: its owner is sent a link', async () => {
  const answer = deferred<Response>()
  const api = serverWith(orders(1)).auth('POST', '/recover', () => answer.promise)
  const { user } = renderApp('/reset-password', api)
  expect(await screen.findByText(rule)).toBeDefined()
  expect(form()).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Inviami il link' }))
  expect(await screen.findByRole('button', { name: 'Invio in corso...' })).toBeDefined()
  answer.resolve(Response.json({}))
  expect((await screen.findByRole('status')).textContent).toBe(
    "Tra poco riceverai il link all'indirizzo farmacia@example.it.",
  )
  const target = encodeURIComponent(`${location.origin}/reset-password?type=recovery`)
  expect(api.requests).toMatchObject([
    { path: `/auth/v1/recover?redirect_to=${target}`, body: { email: 'farmacia@example.it' } },
  ])
  await user.click(screen.getByRole('link', { name: 'Torna alla dashboard' }))
  expect(await screen.findByText('Cliente 1')).toBeDefined()
})

test('a link that could not be sent is said', async () => {
  const message = 'For security purposes, you can only request this after 30 seconds.'
  const api = serverWith([]).auth('POST', '/recover', () =>
    authError(429, 'over_email_send_rate_limit', { message }),
  )
  const { user } = renderApp('/reset-password', api)
  await user.click(await screen.findByRole('button', { name: 'Inviami il link' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    "Un'email è già stata chiesta da poco. Riprova tra 30 secondi.",
  )
})

test("an administrator's password is that of their session, and leads to their pages", async () => {
  const session = sessionOf(administrator.id, { method: 'otp', email: administrator.email })
  storeSession('admin', session)
  const api = serverWith([])
    .on(getOwnAdministrator, () => administrator)
    .auth('PUT', '/user', () => Response.json(session.user))
  const { user } = renderApp('/reset-password?type=recovery&area=admin', api)
  fill(await screen.findByLabelText('Nuova password'), 'zattera-melograno-38')
  expect(screen.getByText(administrator.email)).toBeDefined()
  fill(screen.getByLabelText('Ripeti la password'), 'zattera-melograno-38')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(location.pathname).toBe('/admin/dashboard'))
  expect(await screen.findByText('Password aggiornata.')).toBeDefined()
  expect(api.requests.find(({ method }) => method === 'PUT')?.bearer).toBe(
    `Bearer ${session.access_token}`,
  )
})

test('the session of the pharmacy is not enough for the password of an administrator', async () => {
  storeSession('pharmacy', sessionOf(undefined, { method: 'otp' }))
  renderApp('/reset-password?area=admin', serverWith([]), { signedIn: false })
  expect(await screen.findByText(rule)).toBeDefined()
  expect(form()).toBeNull()
  const link = screen.getByRole('link', { name: "Vai all'accesso" })
  expect(link.getAttribute('href')).toBe('/admin/login')
})
