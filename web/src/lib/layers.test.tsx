import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { BrowserRouter, Link, Route, Routes } from 'react-router'
import { expect, test } from 'vitest'
import { Dialog } from '../ui/dialog.tsx'
import { Menu, MenuItem } from '../ui/menu.tsx'
import { Popover } from '../ui/popover.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { useOverlayEntry } from './use-overlay-entry.ts'

const sources = import.meta.glob<string>('../**/*.tsx', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** A page with a sheet, and a dialog over it, which may refuse to close. */
function Page({ stubborn }: { stubborn: boolean }) {
  const [sheet, setSheet] = useState(false)
  const [dialog, setDialog] = useState(false)
  const filters = useOverlayEntry('filtri')
  return (
    <>
      <h1>Pagina</h1>
      <button type="button" onClick={() => setSheet(true)}>
        Apri
      </button>
      <Popover title="Pannello" label="Viste" buttonClassName="">
        {() => 'Le viste'}
      </Popover>
      <Menu label="Azioni" buttonClassName="" onHover={false}>
        <MenuItem onSelect={() => setSheet(true)}>Dettagli</MenuItem>
        <MenuItem onSelect={filters.open}>Filtra</MenuItem>
        <Link to="/altra" role="menuitem">
          Altra
        </Link>
      </Menu>
      {filters.isOpen ? (
        <Sheet
          title="Filtri"
          footer={null}
          hasEntry
          onClose={filters.close}
          onReturnFocus={() => undefined}
        >
          Lo stato
        </Sheet>
      ) : null}
      {sheet ? (
        <Sheet
          title="Foglio"
          footer={null}
          onClose={() => setSheet(false)}
          onReturnFocus={() => undefined}
        >
          <button type="button" onClick={() => setDialog(true)}>
            Chiedi
          </button>
          {dialog ? (
            <Dialog
              title="Domanda"
              footer={
                <button type="button" onClick={() => setDialog(false)}>
                  Rispondi
                </button>
              }
              onClose={() => (stubborn ? undefined : setDialog(false))}
              onReturnFocus={() => undefined}
            />
          ) : null}
        </Sheet>
      ) : null}
    </>
  )
}

/** The page, reached by a link from the start. */
async function open(stubborn = false) {
  window.history.pushState(null, '', '/inizio')
  render(
    <BrowserRouter>
      <Routes>
        <Route path="/inizio" element={<Link to="/pagina">Vai</Link>} />
        <Route path="/altra" element={<h1>Altra pagina</h1>} />
        <Route path="/pagina" element={<Page stubborn={stubborn} />} />
      </Routes>
    </BrowserRouter>,
  )
  const user = userEvent.setup()
  await user.click(await screen.findByRole('link', { name: 'Vai' }))
  const press = (name: string) => user.click(screen.getByRole('button', { name }))
  const back = () => act(() => window.history.back())
  return { press, back }
}

const shows = (name: string) => screen.findByRole('dialog', { name })
const gone = (name: string) =>
  waitFor(() => expect(screen.queryByRole('dialog', { name })).toBeNull())

test('Back closes what is on top, one after the other, and then leaves the page', async () => {
  const { press, back } = await open()
  await press('Apri')
  await press('Chiedi')
  await shows('Domanda')
  back()
  await gone('Domanda')
  await shows('Foglio')
  back()
  await gone('Foglio')
  expect(location.pathname).toBe('/pagina')
  back()
  await waitFor(() => expect(location.pathname).toBe('/inizio'))
})

test('after a dialog was closed by its button Back is meant for what is beneath', async () => {
  const { press, back } = await open()
  await press('Apri')
  await press('Chiedi')
  await press('Rispondi')
  await press('Chiedi')
  await press('Rispondi')
  await gone('Domanda')
  back()
  await gone('Foglio')
  await press('Apri')
  await press('Chiudi il dettaglio')
  await gone('Foglio')
  back()
  await waitFor(() => expect(location.pathname).toBe('/inizio'))
})

test('what does not close has an entry again, and nothing beneath it closes', async () => {
  const { press, back } = await open(true)
  await press('Apri')
  await press('Chiedi')
  for (let time = 0; time < 2; time += 1) {
    const before: unknown = window.history.state
    const went = new Promise((resolve) =>
      window.addEventListener('popstate', resolve, { once: true }),
    )
    back()
    await act(async () => void (await went))
    await waitFor(() => expect(window.history.state).toEqual(before))
    await shows('Domanda')
  }
  await press('Rispondi')
  await shows('Foglio')
})

test('Back closes a panel', async () => {
  const { press, back } = await open()
  const before: unknown = window.history.state
  await press('Viste')
  await shows('Pannello')
  await waitFor(() => expect(window.history.state).not.toEqual(before))
  back()
  await gone('Pannello')
  expect(location.pathname).toBe('/pagina')
})

/** The page with its menu open, and what selects an item of it. */
async function openMenu() {
  const { press, back } = await open()
  const before: unknown = window.history.state
  await press('Azioni')
  await waitFor(() => expect(window.history.state).not.toEqual(before))
  const select = (name: string) => userEvent.click(screen.getByRole('menuitem', { name }))
  const left = () => waitFor(() => expect(location.pathname).toBe('/inizio'))
  return { press, back, select, left }
}

test('Back closes a menu, and returns the focus to its button', async () => {
  const { back, left } = await openMenu()
  back()
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  expect(location.pathname).toBe('/pagina')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Azioni' }))
  back()
  await left()
})

test.each([
  ['Dettagli', 'Foglio'],
  ['Filtra', 'Filtri'],
])('after %s of a menu Back closes what it has opened, and then leaves', async (item, title) => {
  const { press, back, select, left } = await openMenu()
  await select(item)
  await shows(title)
  back()
  await gone(title)
  expect(location.pathname).toBe('/pagina')
  await press('Azioni')
  await select(item)
  await press('Chiudi il dettaglio')
  await gone(title)
  back()
  await left()
})

test('a link of a menu leads to its page, and Back to the one with the menu', async () => {
  const { back, select, left } = await openMenu()
  await select('Altra')
  await screen.findByRole('heading', { name: 'Altra pagina' })
  back()
  await screen.findByRole('heading', { name: 'Pagina' })
  expect(screen.queryByRole('menu')).toBeNull()
  back()
  await left()
})

test('every dialog and menu is made of these, and has an entry of this kind or one of its own', () => {
  const all = Object.entries(sources)
  expect(all.length).toBeGreaterThan(400)
  const filesWith = (text: RegExp) =>
    all.flatMap(([file, source]) =>
      text.test(source) && !file.includes('.test.') ? [file.replace('../', '')] : [],
    )
  expect(filesWith(/@radix-ui\/react-dialog|role="(alert)?dialog"|<dialog/).sort()).toEqual([
    // Of the public pages, which have their own.
    ...filesWith(/<dialog/),
    'ui/dialog.tsx',
    'ui/full-screen-dialog.tsx',
    'ui/popover.tsx',
    'ui/sheet.tsx',
  ])
  expect(filesWith(/role="menu"/)).toEqual(['ui/menu.tsx'])
  // Each is opened by its entry, and has a test of its own for Back.
  expect(filesWith(/^\s+hasEntry(=.+)?$/m).sort()).toEqual([
    'features/account/new-recovery-codes.tsx',
    'features/orders/details/order-details.tsx',
    'features/orders/filter/filters-sheet.tsx',
    'features/orders/new-order/new-order-sheet.tsx',
    'ui/form-sheet.tsx',
  ])
})
