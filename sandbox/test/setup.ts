import { afterEach, beforeEach, expect, vi } from 'vitest'

/** Unexpected output on the console fails a test. */
const methods = ['log', 'info', 'warn', 'error', 'debug'] as const

beforeEach(() => {
  for (const method of methods) vi.spyOn(console, method).mockImplementation(() => {})
})

afterEach(() => {
  for (const method of methods) expect(console[method], `console.${method}`).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})
