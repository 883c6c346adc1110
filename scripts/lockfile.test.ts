import { expect, it } from 'vitest'
import { leftOut } from './lockfile.mjs'

const optionalDependencies = { '@a/binding-linux-arm64-musl': '1.2.3' }

it('finds the native parts the lockfile leaves out', () => {
  const packages = {
    '': {},
    'node_modules/a': { version: '1.2.3', dev: true, optionalDependencies },
  }
  expect(leftOut(packages)).toEqual({
    'node_modules/@a/binding-linux-arm64-musl': {
      version: '1.2.3',
      dev: true,
      optional: true,
      os: ['linux'],
      cpu: ['arm64'],
      libc: ['musl'],
    },
  })
})

it.each([
  ['at the root', 'node_modules/@a/binding-linux-arm64-musl'],
  ['beside the package', 'web/node_modules/@a/binding-linux-arm64-musl'],
  ['inside it', 'web/node_modules/a/node_modules/@a/binding-linux-arm64-musl'],
])('is content with one %s', (_, path) => {
  const packages = { '': {}, 'web/node_modules/a': { optionalDependencies }, [path]: {} }
  expect(leftOut(packages)).toEqual({})
})

it('takes no notice of one where Node would not look', () => {
  const elsewhere = 'server/node_modules/@a/binding-linux-arm64-musl'
  const packages = { '': {}, 'node_modules/a': { optionalDependencies }, [elsewhere]: {} }
  expect(Object.keys(leftOut(packages))).toHaveLength(1)
})
