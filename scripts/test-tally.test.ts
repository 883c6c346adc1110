import { describe, expect, it } from 'vitest'
import { add, failures, filesNotRun, lastLines, tallyOfVitest } from './test-tally.mjs'

const report = {
  numPassedTests: 5,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [
    {
      name: '/home/a b/server/src/a.test.ts',
      status: 'passed',
      assertionResults: [{ status: 'passed' }],
    },
  ],
}

describe('the last line', () => {
  it.each([
    [{ passed: 12, failed: 0, skipped: 0 }, '12 passed, 0 failed'],
    [{ passed: 0, failed: 1, skipped: 0 }, '0 passed, 1 failed'],
    [{ passed: 3, failed: 2, skipped: 4 }, '3 passed, 2 failed'],
  ])('of %o', (tally, line) => {
    expect(lastLines(tally).split('\n').at(-1)).toBe(line)
  })
})

describe('a run of tests', () => {
  it('counts what the report counts', () => {
    const some = { ...report, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 }
    expect(tallyOfVitest(some, 1)).toEqual({ passed: 5, failed: 2, skipped: 2 })
  })

  it('is a failure without a report', () => {
    expect(tallyOfVitest(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 })
  })

  it('is a failure when it ends badly though every test passed', () => {
    expect(tallyOfVitest(report, 1).failed).toBe(1)
  })

  it.each([
    ['could not be loaded', []],
    ['could not be prepared, so that its tests were skipped', [{ status: 'skipped' }]],
  ])('counts a file that %s', (_, assertionResults) => {
    const broken = { name: '/x/b.test.ts', status: 'failed', assertionResults }
    const some = { ...report, testResults: [...report.testResults, broken, broken] }
    expect(tallyOfVitest(some, 1).failed).toBe(2)
  })

  it('does not count a file beside its failed tests', () => {
    const file = {
      name: '/x/b.test.ts',
      status: 'failed',
      assertionResults: [{ status: 'failed' }],
    }
    expect(tallyOfVitest({ ...report, numFailedTests: 1, testResults: [file] }, 1).failed).toBe(1)
  })

  it('names what failed, with the first line of why, and a file that never began', () => {
    const test = { status: 'failed', fullName: 'a b', failureMessages: ['Error: no\n at x'] }
    const results = [
      { name: '/x/b.test.ts', status: 'failed', assertionResults: [test, { status: 'passed' }] },
      { name: '/x/c.test.ts', status: 'failed', assertionResults: [] },
    ]
    const some = { ...report, testResults: [...report.testResults, ...results] }
    expect(failures(some)).toEqual(['/x/b.test.ts > a b > Error: no', '/x/c.test.ts'])
    expect(failures(undefined)).toEqual([])
  })

  it('tells the files that did not run', () => {
    const expected = ['server/src/a.test.ts', 'web/src/b.test.tsx']
    expect(filesNotRun(report, expected)).toEqual(['web/src/b.test.tsx'])
    expect(filesNotRun(undefined, expected)).toEqual(expected)
  })
})

it('adds up', () => {
  const some = { passed: 2, failed: 1, skipped: 0 }
  expect(add(some, { passed: 1, failed: 1, skipped: 1 })).toEqual({
    passed: 3,
    failed: 2,
    skipped: 1,
  })
})
