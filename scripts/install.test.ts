import { describe, expect, it } from 'vitest'
import { npmEnvironment, whyInstall } from './install.mjs'

const zod = { version: '4.0.0', integrity: 'sha512-a' }
const vitest = { version: '4.1.0', dev: true }
const binding = { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] }
const all = {
  '': {},
  'node_modules/zod': zod,
  'node_modules/vitest': vitest,
  'node_modules/binding-linux-x64': binding,
  'node_modules/binding-darwin-arm64': { ...binding, os: ['darwin'], cpu: ['arm64'] },
}
const delivered = { 'node_modules/zod': zod, 'node_modules/binding-linux-x64': binding }
const complete = { ...delivered, 'node_modules/vitest': vitest }

describe('whether to install', () => {
  it.each([
    ['nothing is there', true, undefined, 'not there yet'],
    ['all is there', true, complete, undefined],
    ['a package is missing', true, { 'node_modules/vitest': vitest }, 'are missing'],
    [
      'another version is in place',
      true,
      { ...complete, 'node_modules/zod': { version: '3.0.0', integrity: 'sha512-b' } },
      'are missing',
    ],
    ['only what a start needs is there, for tests', true, delivered, 'are missing'],
    ['only what a start needs is there, for a start', false, delivered, undefined],
    [
      'the folder was copied from a Mac',
      true,
      {
        ...complete,
        'node_modules/binding-darwin-arm64': all['node_modules/binding-darwin-arm64'],
      },
      'another platform',
    ],
  ])('when %s', (_, withDev, packages, reason) => {
    const machine = { withDev, platform: 'linux', arch: 'x64' }
    const answer = whyInstall(all, packages, machine)
    if (reason === undefined) expect(answer).toBeUndefined()
    else expect(answer).toContain(reason)
  })
})

it('keeps the options of an outer npm from an inner one', () => {
  const inner = npmEnvironment({
    PATH: '/bin',
    npm_config_prefix: '../elsewhere',
    npm_config_omit: 'dev',
    NPM_CONFIG_PRODUCTION: 'true',
    npm_config_registry: 'kept',
  })
  expect(inner).toEqual({ PATH: '/bin', npm_config_registry: 'kept' })
})
