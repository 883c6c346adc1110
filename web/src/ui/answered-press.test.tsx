import { screen } from '@testing-library/react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Route, Routes } from 'react-router'
import { expect, test } from 'vitest'
import { renderPart } from '../../test/render-part.tsx'
import { deferred } from '../../test/stub-api.ts'
import { ListPages } from './list-pages.tsx'
import { PressedLink } from './pressed-link.tsx'
import { Tabs } from './tabs.tsx'

/** What a slow device has not drawn yet: it is there when the test says so. */
function slow() {
  const { promise, resolve } = deferred<{ default: () => ReactNode }>()
  const Slow = lazy(() => promise)
  return { Slow, draw: () => resolve({ default: () => <p>Disegnato</p> }) }
}

test('a tab is selected before its content is drawn', async () => {
  const { Slow, draw } = slow()
  function Page() {
    const [tab, select] = useState<'a' | 'b'>('a')
    const tabs = [
      { id: 'a', text: 'Prima' },
      { id: 'b', text: 'Seconda' },
    ] as const
    return (
      <Suspense>
        <Tabs label="Schede" tabs={tabs} selected={tab} panelId="panel" onSelect={select} />
        {tab === 'a' ? <p>Contenuto di prima</p> : <Slow />}
      </Suspense>
    )
  }
  const { user } = renderPart(<Page />)
  await user.click(screen.getByRole('tab', { name: 'Seconda' }))
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Seconda')
  expect(screen.getByText('Contenuto di prima')).toBeDefined()
  draw()
  expect(await screen.findByText('Disegnato')).toBeDefined()
  expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Seconda')
})

test('the number of the next page is there before its items', async () => {
  const { Slow, draw } = slow()
  function Page() {
    const [page, turn] = useState(1)
    return (
      <Suspense>
        {page === 1 ? <p>Elementi di prima</p> : <Slow />}
        <ListPages label="Pagine" text="70 elementi" page={page} pages={2} onPage={turn} />
      </Suspense>
    )
  }
  const { user } = renderPart(<Page />)
  await user.click(screen.getByRole('button', { name: 'Successiva' }))
  expect(screen.getByText('70 elementi • Pagina 2 di 2')).toBeDefined()
  expect(screen.getByText('Elementi di prima')).toBeDefined()
  draw()
  expect(await screen.findByText('Disegnato')).toBeDefined()
})

test('a link shows that it was pressed until its page is drawn', async () => {
  const { Slow, draw } = slow()
  const link = { to: '/b', className: '' }
  const { user } = renderPart(
    <Suspense>
      <Routes>
        <Route path="/" element={<PressedLink {...link}>Apri</PressedLink>} />
        <Route path="/b" element={<Slow />} />
      </Routes>
    </Suspense>,
  )
  const opened = screen.getByRole('link', { name: 'Apri' })
  expect(opened.dataset['pressed']).toBeUndefined()
  await user.click(opened)
  expect(opened.dataset['pressed']).toBe('true')
  draw()
  expect(await screen.findByText('Disegnato')).toBeDefined()
})
