import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { sessionOf } from '../../test/fixtures.ts'
import { serverWith, storeSession } from '../../test/render-app.tsx'
import { clearStorageOnReload } from './preview-host.ts'

const deleted = vi.fn<(name: string) => Promise<boolean>>()
const unregistered = vi.fn<() => Promise<boolean>>()

function loadedBy(type: string, path: string) {
  window.history.replaceState(null, '', path)
  Object.defineProperty(performance, 'getEntriesByType', {
    configurable: true,
    value: (kind: string) => (kind === 'navigation' ? [{ type }] : []),
  })
  onTestFinished(() => void Reflect.deleteProperty(performance, 'getEntriesByType'))
}

beforeEach(() => {
  deleted.mockReset().mockResolvedValue(true)
  unregistered.mockReset().mockResolvedValue(true)
  vi.stubGlobal('caches', { keys: async () => ['a', 'b'], delete: deleted })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: { getRegistrations: async () => [{ unregister: unregistered }] },
  })
  localStorage.setItem('anything', '1')
  sessionStorage.setItem('anything', '1')
  storeSession('pharmacy')
  storeSession('admin', sessionOf(undefined, { id: 'of an administrator' }))
})

afterEach(() => void Reflect.deleteProperty(navigator, 'serviceWorker'))

test('a reload forgets everything, signs both out and goes to the login', async () => {
  const api = serverWith([])
  api.install()
  loadedBy('reload', '/?page=2')
  await clearStorageOnReload()
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
  expect(deleted.mock.calls).toEqual([['a'], ['b']])
  expect(unregistered).toHaveBeenCalledTimes(1)
  expect(location.pathname + location.search).toBe('/login')
  expect(api.requests).toMatchObject(
    [sessionOf(), sessionOf(undefined, { id: 'of an administrator' })].map((session) => ({
      path: '/auth/v1/logout?scope=local',
      bearer: `Bearer ${session.access_token}`,
      keepalive: true,
    })),
  )
})

test('a server that does not answer holds nothing up, nor does a browser that is slow', async () => {
  vi.useFakeTimers()
  serverWith([])
    .auth('POST', '/logout', () => new Promise<Response>(() => undefined))
    .install()
  deleted.mockReturnValue(new Promise(() => undefined))
  loadedBy('reload', '/')
  const done = clearStorageOnReload()
  expect(localStorage.length).toBe(0)
  await vi.advanceTimersByTimeAsync(2_000)
  await done
})

test.each([
  ['navigate', '/'],
  ['back_forward', '/'],
  ['reload', '/login'],
  ['reload', '/privacy'],
  ['reload', '/privacy/'],
  ['reload', '/confirm'],
  ['reload', '/admin/login'],
])('a load of kind %s of %s forgets nothing', async (type, path) => {
  const api = serverWith([])
  api.install()
  loadedBy(type, path)
  await clearStorageOnReload()
  expect([localStorage.length, sessionStorage.length]).toEqual([3, 1])
  expect(location.pathname).toBe(path)
  expect(api.requests).toEqual([])
})
