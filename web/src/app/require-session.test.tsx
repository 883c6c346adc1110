import { act, render, screen } from '@testing-library/react'
import { lazy, Suspense } from 'react'
import { MemoryRouter, type NavigateFunction, Route, Routes, useNavigate } from 'react-router'
import { expect, onTestFinished, test } from 'vitest'
import { serverWith, storeSession } from '../../test/render-app.tsx'
import { deferred } from '../../test/stub-api.ts'
import { pharmacySession } from '../lib/session.ts'
import { RequireSession } from './router.tsx'

test('who leaves and goes back while the login page still loads is led to it all the same', async () => {
  serverWith([]).install()
  storeSession()
  pharmacySession.start()
  onTestFinished(() => pharmacySession.stop())
  const loaded = deferred<{ default: () => string }>()
  const Login = lazy(() => loaded.promise)
  let navigate: NavigateFunction | undefined
  function Navigator() {
    navigate = useNavigate()
    return null
  }
  render(
    <MemoryRouter initialEntries={['/', '/?page=2']}>
      <Navigator />
      <Suspense fallback="loading">
        <Routes>
          <Route element={<RequireSession />}>
            <Route path="/" element="orders" />
          </Route>
          <Route path="/login" element={<Login />} />
        </Routes>
      </Suspense>
    </MemoryRouter>,
  )
  expect(await screen.findByText('orders')).toBeDefined()
  act(() => pharmacySession.signOut())
  await act(async () => navigate?.(-1))
  await act(async () => loaded.resolve({ default: () => 'login page' }))
  expect(await screen.findByText('login page')).toBeDefined()
})
