import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSignupJoin, type LoginResponse } from './signup-join.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const ids = { wabaId: '100', phoneNumberId: '200' }
const finished = { kind: 'finished', ids } as const
const withCode: LoginResponse = { status: 'connected', authResponse: { code: 'the code' } }
const closed: LoginResponse = { status: 'unknown', authResponse: null }

function join() {
  const onReady = vi.fn<(code: string, ids: object) => void>()
  const onEnd = vi.fn<(end: { kind: string }) => void>()
  return { ...createSignupJoin({ onReady, onEnd }), onReady, onEnd }
}

test.each(['the ids first', 'the code first'])('both halves, %s, are joined once', (order) => {
  const login = join()
  const steps = [() => login.heardMessage(finished), () => login.heardResponse(withCode)]
  for (const step of order === 'the ids first' ? steps : steps.toReversed()) step()
  login.heardResponse({ ...withCode, authResponse: { code: 'another' } })
  login.heardMessage(finished)
  vi.runAllTimers()
  expect(login.onReady.mock.calls).toEqual([['the code', ids]])
  expect(login.onEnd).not.toHaveBeenCalled()
})

test('a code without ids is used in time', () => {
  const login = join()
  login.heardResponse(withCode)
  expect(login.onReady).not.toHaveBeenCalled()
  vi.advanceTimersByTime(10_000)
  expect(login.onReady.mock.calls).toEqual([['the code', {}]])
})

test('a code that is 30 seconds old is not used', () => {
  const login = join()
  login.heardResponse(withCode)
  // A computer that slept: its timers are late.
  vi.setSystemTime(Date.now() + 31_000)
  login.heardMessage(finished)
  expect(login.onReady).not.toHaveBeenCalled()
  expect(login.onEnd.mock.calls).toEqual([[{ kind: 'late' }]])
})

test.each([
  ['without a choice', [], 'closed'],
  ['after the choice', [finished], 'no-code'],
  ['with the step told before', [{ kind: 'cancelled', step: 'PERMISSIONS' } as const], 'cancelled'],
])('a window that was closed %s', (_when, messages, kind) => {
  const login = join()
  for (const message of messages) login.heardMessage(message)
  login.heardResponse(closed)
  vi.advanceTimersByTime(1_000)
  expect(login.onReady).not.toHaveBeenCalled()
  expect(login.onEnd.mock.calls.map(([end]) => end.kind)).toEqual([kind])
})

test('the step that is told just after the window was closed counts', () => {
  const login = join()
  login.heardResponse(closed)
  vi.advanceTimersByTime(500)
  login.heardMessage({ kind: 'cancelled', step: 'PERMISSIONS' })
  vi.runAllTimers()
  expect(login.onEnd.mock.calls).toEqual([[{ kind: 'cancelled', step: 'PERMISSIONS' }]])
})

test('a person who refuses, and a login that was stopped', () => {
  const refused = join()
  refused.heardResponse({ status: 'not_authorized', authResponse: null })
  expect(refused.onEnd.mock.calls).toEqual([[{ kind: 'denied' }]])
  const stopped = join()
  stopped.stop()
  stopped.heardResponse(withCode)
  stopped.heardMessage(finished)
  vi.runAllTimers()
  expect([stopped.onReady.mock.calls, stopped.onEnd.mock.calls]).toEqual([[], []])
})
