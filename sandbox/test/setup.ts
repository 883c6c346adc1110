import { afterEach, beforeEach, expect, vi } from 'vitest'

/** What a test did not expect on the console fails it. */
const methods = ['log', 'info', 'warn', 'error', 'debug'] as const

beforeEach(() => {
  for (const method of methods) vi.spyOn(console, method).mockImplementation(() => {})
})

afterEach(() => {
  for (const method of methods) expect(console[method], `console.${method}`).not.toHaveBeenCalled()
  vi.restoreAllMocks()
})
