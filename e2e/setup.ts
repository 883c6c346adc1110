import { afterAll, afterEach, beforeEach } from 'vitest'
import { closeContexts, noticesShown, openContexts } from './support/browser.ts'
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
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') {
    process.stderr.write(`${task.name}: shown when it failed\n${await noticesShown()}\n`)
  }
  await closeContexts(before)
})
afterAll(() => closeContexts(0))
