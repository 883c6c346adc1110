import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, Suspense } from 'react'
import { MemoryRouter, useLocation } from 'react-router'
import { Toaster } from '../src/ui/toast.ts'
import { followSession, storeSession } from './render-app.tsx'
import type { StubApi } from './stub-api.ts'

/** Somebody of a pharmacy is signed in, over the stub. */
export function signedIn(api: StubApi) {
  api.install()
  storeSession()
  followSession()
}

function Address() {
  const { pathname, search, hash } = useLocation()
  return <p data-testid="address">{pathname + search + hash}</p>
}

/** A part of a page, at an address, with a place for toasts. */
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
