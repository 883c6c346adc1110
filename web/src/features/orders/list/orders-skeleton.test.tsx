import { render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { OrdersSkeleton } from './orders-list.tsx'

test.each([
  ['/', 20],
  ['/?pageSize=50', 50],
])('at %s there are as many rows as orders are asked for: %i', (address, rows) => {
  render(
    <MemoryRouter initialEntries={[address]}>
      <OrdersSkeleton wide />
    </MemoryRouter>,
  )
  const [, body] = within(screen.getByRole('table')).getAllByRole('rowgroup')
  expect(body?.children.length).toBe(rows)
})
