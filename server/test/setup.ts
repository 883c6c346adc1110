import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { endAll } from './at-end.ts'

/** What a test did not expect on the console fails it. */
const methods = ['log', 'info', 'warn', 'error', 'debug'] as const

beforeEach(() => {
  for (const method of methods) vi.spyOn(console, method).mockImplementation(() => {})
})

afterEach(() => {
  for (const method of methods) expect(console[method], `console.${method}`).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

// Said first, and so done last.
afterAll(endAll, 60_000)
