import { afterAll, afterEach, beforeEach } from 'vitest'
import { closeContexts, openContexts } from './support/browser.ts'
import { latestWarnings } from './support/process.ts'

let before = 0

beforeEach(({ onTestFailed }) => {
  before = openContexts()
  onTestFailed(({ task }) => {
    process.stderr.write(
      `${task.name}: logged by the programs of the journey\n${latestWarnings()}\n`,
    )
  })
})

// A page left open goes on asking its server; those opened for all tests of a file stay until its end.
afterEach(() => closeContexts(before))
afterAll(() => closeContexts(0))
