import { describe, expect, it } from 'vitest'
import { table } from './check.mjs'
import {
  countOfBiome,
  countOfKnip,
  countOfOxlint,
  judge,
  LEAST_CODE_FILES,
  missedByTsc,
  withoutFileList,
} from './floors.mjs'
import { codeFiles } from './source-files.mjs'

describe('the number of files a checker looked at', () => {
  it.each([
    ['biome', countOfBiome('Checked 23 files in 8ms. No fixes applied.\n'), 23],
    ['biome with one', countOfBiome('x\nChecked 1 file in 8ms. No fixes applied.\n'), 1],
    ['biome with none', countOfBiome('No files were processed in the specified paths.'), 0],
    ['oxlint', countOfOxlint('Finished in 4.1s on 78 files with 196 rules using 2 threads.'), 78],
    ['oxlint with none', countOfOxlint('No files found to lint.'), 0],
    ['knip', countOfKnip('Unused files (1)\nLooked at 84 files.\n'), 84],
    ['knip that broke', countOfKnip('ERROR: cannot load'), 0],
  ])('is read from %s', (_, count, expected) => {
    expect(count).toBe(expected)
  })

  it('is told by tsc file by file', () => {
    const output = 'a.ts(1,1): error TS1: no\n/my app/node_modules/x.d.ts\n/my app/server/a.ts\n'
    const expected = ['server/a.ts', 'server/b.ts']
    expect(missedByTsc(output, expected, '/my app/')).toEqual(['server/b.ts'])
    expect(withoutFileList(output).trim()).toBe('a.ts(1,1): error TS1: no')
  })
})

describe('a checker', () => {
  it('passes when it looked at all there is and found nothing', () => {
    expect(judge(10, 10, true)).toEqual({ ok: true })
    expect(judge(10, 10, false)).toEqual({ ok: false })
  })

  it('fails when it looked at less, whatever it says itself', () => {
    expect(judge(9, 10, true)).toEqual({ ok: false, reason: 'looked at 9 files; there are 10' })
  })

  it('is told apart in the table', () => {
    const result = { output: '', floor: 1, count: 3, milliseconds: 1234 }
    const lines = table([
      { ...result, name: 'types', ok: true },
      { ...result, name: 'format', ok: false },
    ])
    expect(lines).toBe('✓ types     1.2 s  3 files\n✗ format    1.2 s  3 files')
  })
})

it('the walk finds the code, this file among it', () => {
  const files = codeFiles()
  expect(files).toContain('scripts/floors.test.ts')
  expect(files.filter((file) => file.includes('node_modules'))).toEqual([])
  expect(files.length).toBeGreaterThanOrEqual(LEAST_CODE_FILES)
})
