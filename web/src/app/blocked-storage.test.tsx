import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { signIn } from '../../test/fill.ts'
import { orders, sessionOf } from '../../test/fixtures.ts'
import { renderApp, serverWith } from '../../test/render-app.tsx'

test('where the browser keeps nothing one can sign in, work and leave', async () => {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    vi.spyOn(window, name, 'get').mockImplementation(() => {
      throw new DOMException('Access is denied', 'SecurityError')
    })
  }
  const api = serverWith(orders(1)).auth('POST', '/token', () => Response.json(sessionOf()))
  const { user } = renderApp('/', api, { signedIn: false })
  await signIn()
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
  expect(await screen.findByRole('heading', { name: 'Accedi' })).toBeDefined()
})
