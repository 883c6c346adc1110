import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { endAll } from './at-end.ts'
import './wait-timeouts.ts'

/** Unexpected output on the console fails a test. */
const methods = ['log', 'info', 'warn', 'error', 'debug'] as const

beforeEach(() => {
  for (const method of methods) vi.spyOn(console, method).mockImplementation(() => {})
})

afterEach(() => {
  for (const method of methods) expect(console[method], `console.${method}`).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})

// Registered first, so that it runs last.
afterAll(endAll, 60_000)
