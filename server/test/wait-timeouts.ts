import { vi } from 'vitest'

/** Milliseconds, for a machine that is busy. Vitest's own default is one second. */
const TIMEOUT_MS = 10_000

const { waitFor, waitUntil } = vi

/** With the time limit that holds where none is given. */
function patient(options: Parameters<typeof waitFor>[1] = {}) {
  return typeof options === 'number' ? options : { timeout: TIMEOUT_MS, ...options }
}

vi.waitFor = (callback, options) => waitFor(callback, patient(options))
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))
