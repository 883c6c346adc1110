import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './command.mjs'
import {
  chooseProtections,
  listProtections,
  readSource,
  withoutProtection,
} from './protection-list.mjs'

const protections = await listProtections()

describe('the protections', () => {
  it('are 80 to 180, each with a name of its own in its area', () => {
    expect(protections.length).toBeGreaterThanOrEqual(80)
    expect(protections.length).toBeLessThanOrEqual(180)
    const names = protections.map(({ area, name }) => `${area}: ${name}`)
    expect(new Set(names).size).toBe(names.length)
  })

  it('stand in the product once, and can be taken out', () => {
    for (const protection of protections) {
      const text = readSource(protection.file)
      expect(withoutProtection(protection, text), protection.name).not.toBe(text)
    }
  })

  it('name tests that are there', () => {
    for (const { name, tests } of protections) {
      expect(tests.length, name).toBeGreaterThan(0)
      for (const file of tests)
        expect([name, file, existsSync(join(ROOT, file))]).toEqual([name, file, true])
    }
  })

  it('are chosen by area or, where none has that name, by path', () => {
    const some = [
      { area: 'orders', file: 'server/src/features/offers/tokens.ts' },
      { area: 'tokens', file: 'server/src/platform/auth/keys.ts' },
    ].map((each) => ({ ...each, name: 'x', find: 'a', replace: '', tests: ['t'] }))
    const areas = (...parts: string[]) => chooseProtections(some, parts).map(({ area }) => area)
    expect(areas()).toEqual(['orders', 'tokens'])
    expect(areas('tokens')).toEqual(['tokens'])
    expect(areas('features/offers')).toEqual(['orders'])
  })
})
