import { getNotice } from '@bancone/contract/settings'
import { act, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { signedIn } from '../../test/render-part.tsx'
import { failure, StubApi } from '../../test/stub-api.ts'
import { useEndpoint } from '../lib/endpoint-query.ts'
import { Providers } from './providers.tsx'

function Notice() {
  const { data } = useEndpoint(getNotice, {})
  return <p>{data ? 'Letto' : 'Non letto'}</p>
}

test('what could not be read is read again by itself, ten seconds after an outage at the latest', async () => {
  vi.useFakeTimers()
  const api = new StubApi().on(getNotice, () => failure('service.unavailable'))
  signedIn(api)
  render(
    <Providers>
      <Notice />
    </Providers>,
  )
  await act(() => vi.advanceTimersByTimeAsync(40_000))
  expect(screen.getByText('Non letto')).toBeDefined()
  api.on(getNotice, () => ({ notice: null, changesInSeconds: null }))
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.getByText('Letto')).toBeDefined()
})
