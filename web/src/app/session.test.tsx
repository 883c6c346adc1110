import { screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { pharmacy } from '../../test/fixtures.ts'
import { renderApp, serverWith } from '../../test/render-app.tsx'
import { setViewport } from '../../test/viewport.ts'
import { accountPagesFor } from './shell/navigation.ts'

const login = () => screen.findByRole('heading', { name: 'Accedi' })

test('a visitor of /analytics is led to the login, with no word of a session that ended', async () => {
  const api = serverWith([])
  renderApp('/analytics', api, { signedIn: false })
  expect(await login()).toBeDefined()
  expect(location.pathname).toBe('/login')
  expect(screen.queryByText('La sessione è scaduta. Accedi di nuovo.')).toBeNull()
  expect(api.requests.filter(({ bearer }) => bearer !== null)).toEqual([])
})

test('a page one is led to begins at its heading for a screen reader, one that was loaded leaves the focus alone', async () => {
  const { unmount } = renderApp('/', serverWith([]), { signedIn: false })
  const heading = await login()
  await waitFor(() => expect(document.activeElement).toBe(heading))
  unmount()
  renderApp('/login', serverWith([]), { signedIn: false })
  await login()
  expect(document.activeElement).toBe(document.body)
})

test('on a phone the menu of the name also holds the links, and keys move in it', async () => {
  setViewport('narrow')
  const { user } = renderApp('/', serverWith([]))
  const button = await screen.findByRole('button', { name: 'Farmacia San Carlo' })
  button.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Dashboard' }))
  await user.keyboard('{ArrowDown}')
  const pages = accountPagesFor(pharmacy).map(({ label }) => label)
  for (const name of ['WhatsApp', ...pages, 'Logout']) {
    expect(document.activeElement).toBe(screen.getByRole('menuitem', { name }))
    await user.keyboard('{ArrowDown}')
  }
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(button)
})

test('another page begins at its top, back leads to where one was', async () => {
  const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue(undefined)
  const { user } = renderApp('/nessuna-pagina', serverWith([]), { signedIn: false })
  await screen.findByRole('heading', { name: 'Pagina non trovata' })
  expect(scrollTo).not.toHaveBeenCalled()
  await user.click(screen.getByRole('link', { name: 'Vai alla dashboard' }))
  await login()
  expect(scrollTo).toHaveBeenLastCalledWith({ top: 0, behavior: 'instant' })
  scrollTo.mockClear()
  window.history.back()
  await screen.findByRole('heading', { name: 'Pagina non trovata' })
  expect(scrollTo).not.toHaveBeenCalled()
})
