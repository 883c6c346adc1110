import { afterAll, afterEach, beforeEach } from 'vitest'
import { closeContexts, openContexts } from './support/browser.ts'

let before = 0

beforeEach(() => {
  before = openContexts()
})

// A page left open goes on asking its server; those opened for all tests of a file stay until its end.
afterEach(() => closeContexts(before))
afterAll(() => closeContexts(0))
