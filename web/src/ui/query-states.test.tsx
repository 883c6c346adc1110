import { screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPart } from '../../test/render-part.tsx'
import { QueryStates } from './query-states.tsx'

test('a query is loading, then says what failed with a way to try again, which leaves earlier data', async () => {
  const refetch = vi.fn<() => void>()
  const states = (data: string | undefined, error: Error | null) => (
    <QueryStates
      query={{ data, error, isFetching: false, refetch }}
      title="Errore nel caricamento"
      skeleton={<p>In arrivo</p>}
    >
      {(text) => <p>{text}</p>}
    </QueryStates>
  )
  const { user, rerender } = renderPart(states(undefined, null))
  expect(screen.getByText('In arrivo')).toBeDefined()
  rerender(states(undefined, new Error('x')))
  expect(screen.getByRole('alert').textContent).toMatch(/^Errore nel caricamento.*imprevisto/)
  expect(screen.queryByText('In arrivo')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(refetch).toHaveBeenCalledOnce()
  rerender(states('I dati', new Error('x')))
  expect(screen.getByRole('alert')).toBeDefined()
  expect(screen.getByText('I dati')).toBeDefined()
  rerender(states('I dati', null))
  expect(screen.queryByRole('alert')).toBeNull()
})
