import { expect, it } from 'vitest'
import { finding, LEAST_CODE_FILES, missedByTsc } from './checks.mjs'
import { codeFiles } from './source-files.mjs'

it.each([
  [10, true, { ok: true, count: 10, output: 'x' }],
  [10, false, { ok: false, count: 10, output: 'x' }],
  [9, true, { ok: false, count: 9, output: 'x\nlooked at 9 files; there are 10\n' }],
])('a checker that looked at %i files of 10 and said %s', (count, passed, expected) => {
  expect(finding(count, 10, passed, 'x')).toEqual(expected)
})

it('tsc tells which files it did not look at', () => {
  const output = 'a.ts(1,1): error TS1: no\n/my app/node_modules/x.d.ts\n/my app/server/a.ts\n'
  const expected = ['server/a.ts', 'server/b.ts']
  expect(missedByTsc(output, expected, '/my app/')).toEqual(['server/b.ts'])
})

it('the walk finds the code, this file among it', () => {
  const files = codeFiles()
  expect(files).toContain('scripts/checks.test.ts')
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([])
  expect(files.length).toBeGreaterThanOrEqual(LEAST_CODE_FILES)
})
