import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, Suspense } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { Toaster } from '../src/ui/toast.ts'
import { followSession, storeSession } from './render-app.tsx'
import type { StubApi } from './stub-api.ts'

/** Signs a user of the default pharmacy in, against the stub. */
export function signedIn(api: StubApi) {
  api.install()
  storeSession()
  followSession()
}

function Address() {
  const { pathname, search, hash } = useLocation()
  return <p data-testid="address">{pathname + search + hash}</p>
}

/** Renders a component at a path, with a toaster. */
export function renderPart(part: ReactNode, address = '/') {
  const view = render(
    <MemoryRouter initialEntries={[address]}>
      {part}
      <Address />
      <Suspense>
        <Toaster />
      </Suspense>
    </MemoryRouter>,
  )
  return { ...view, user: userEvent.setup() }
}
