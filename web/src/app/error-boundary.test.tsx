import { render, screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { expect, test } from 'vitest'
import { allowPrinted } from '../../test/printed.ts'
import { ErrorBoundary } from './error-boundary.tsx'

const Missing = lazy(() => Promise.reject(new Error('chunk not loaded')))

test('a part whose code does not come takes the page with it', async () => {
  render(
    <ErrorBoundary>
      orders
      <Missing />
    </ErrorBoundary>,
  )
  expect((await screen.findByRole('alert')).textContent).toContain('Qualcosa non ha funzionato')
  expect(screen.queryByText('orders')).toBeNull()
  allowPrinted(/chunk not loaded/)
})

test('unless it has a fallback of its own', async () => {
  render(
    <ErrorBoundary>
      <p>orders</p>
      <ErrorBoundary fallback="without">
        <Suspense fallback="on its way">
          <Missing />
        </Suspense>
      </ErrorBoundary>
    </ErrorBoundary>,
  )
  expect(await screen.findByText('without')).toBeDefined()
  expect(screen.getByText('orders')).toBeDefined()
  allowPrinted(/chunk not loaded/)
})
