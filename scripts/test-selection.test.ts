import { describe, expect, it } from 'vitest'
import { importersOf } from './affected-tests.mjs'
import { parseRequest, shardOf, testFiles } from './test-selection.mjs'

describe('what npm test is asked for', () => {
  it.each([
    [[], { filters: [], shard: undefined, changed: false }],
    [['orders'], { filters: ['orders'], shard: undefined, changed: false }],
    [['--shard', '2/3'], { filters: [], shard: { index: 2, count: 3 }, changed: false }],
    [['--shard=1/3', 'a'], { filters: ['a'], shard: { index: 1, count: 3 }, changed: false }],
    [['--changed'], { filters: [], shard: undefined, changed: true }],
  ])('%o', (args, request) => {
    expect(parseRequest(args)).toEqual(request)
  })

  it.each(['0/3', '4/3', '1', 'x/y', ''])('is no shard %s', (shard) => {
    expect(() => parseRequest(['--shard', shard])).toThrow('--shard takes')
  })

  it('is no option of another program', () => {
    expect(() => parseRequest(['--shrad', '1/3'])).toThrow('--shrad')
  })
})

describe('the shards', () => {
  it.each([1, 2, 3, 7])('of %i machines are every test file, each once', (count) => {
    const all = testFiles()
    const shards = Array.from({ length: count }, (_, n) => shardOf(all, { index: n + 1, count }))
    expect(shards.flat().toSorted()).toEqual(all.toSorted())
    const sizes = shards.map(({ length }) => length)
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1)
  })

  it('share out each kind of test, the largest first', () => {
    const sizes: Record<string, number> = { 'e2e/a': 1, 'e2e/b': 9, 'web/c': 3, 'web/d': 2 }
    const shard = (index: number) =>
      shardOf(Object.keys(sizes), { index, count: 2 }, (file) => sizes[file] ?? 0)
    expect(shard(1)).toEqual(['e2e/b', 'web/c'])
    expect(shard(2)).toEqual(['e2e/a', 'web/d'])
  })
})

describe('the files that a change reaches', () => {
  const module = (source: string, ...imports: string[]) => ({
    source,
    dependencies: imports.map((resolved) => ({ resolved })),
  })
  const modules = [
    module('server/src/a.test.ts', 'server/src/a.service.ts'),
    module('server/src/a.service.ts', 'server/src/a.store.ts'),
    module('server/src/wiring.ts', 'server/src/a.store.ts'),
    module('server/test/far.test.ts', 'server/src/wiring.ts'),
    module('server/test/server.ts', 'server/src/wiring.ts'),
  ]

  it('are those that import it, also through another', () => {
    expect(importersOf(['server/src/a.store.ts'], modules)).toContain('server/src/a.test.ts')
  })

  it('are not those that import everything', () => {
    expect(importersOf(['server/src/a.store.ts'], modules)).not.toContain('server/test/far.test.ts')
  })
})
