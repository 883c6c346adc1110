import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { orders } from '../../test/fixtures.ts'
import { renderApp, serverWith } from '../../test/render-app.tsx'

const refusal =
  '#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid'
const text = 'Il link è scaduto o è già stato usato.'

test.each(['/login', '/admin/login', '/'])(
  'a link that came back refused to %s is said where one signs in',
  async (path) => {
    renderApp(path + refusal, serverWith([]), { signedIn: false })
    expect((await screen.findByRole('alert')).textContent).toBe(text)
    expect(screen.getByLabelText('Email')).toBeDefined()
    expect(screen.queryByText(/Email link is invalid/)).toBeNull()
  },
)

test.each([
  ['/confirm', '/login'],
  ['/reset-password', '/login'],
  ['/reset-password?area=admin', '/admin/login'],
])('on %s it is the page, with the way to a new one (%s)', async (path, login) => {
  renderApp(path + refusal, serverWith([]), { signedIn: false })
  expect(await screen.findByRole('heading', { name: text })).toBeDefined()
  const link = screen.getByRole('link', { name: 'Chiedi un nuovo link' })
  expect(link.getAttribute('href')).toBe(login)
})

test('a refusal that a new link would not change offers none', async () => {
  renderApp('/confirm#error=x&error_code=user_banned', serverWith([]), { signedIn: false })
  expect(await screen.findByRole('heading', { name: /^Questo accesso è stato/ })).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Chiedi un nuovo link' })).toBeNull()
  expect(screen.getByRole('link', { name: "Vai all'accesso" })).toBeDefined()
})

test('a signed-in user is led away from the login, and the message is shown', async () => {
  renderApp(`/login${refusal}`, serverWith(orders(1)))
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(await screen.findByText(text)).toBeDefined()
  await waitFor(() => expect(location.pathname + location.hash).toBe('/'))
})
