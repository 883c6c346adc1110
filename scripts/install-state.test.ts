import { describe, expect, it } from 'vitest'
import { npmEnvironment } from './install.mjs'
import { installStamp, markOf, whyInstall } from './install-state.mjs'

const machine = { node: '20.19.0', platform: 'linux', arch: 'x64' }
const locked = {
  packages: {
    '': {},
    'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a' },
    'node_modules/only-on-mac': { version: '1.0.0', optional: true },
  },
}
const complete = { packages: { 'node_modules/zod': { version: '4.0.0', integrity: 'sha512-a' } } }
const wanted = installStamp('lockfile', machine)

describe('whether to install', () => {
  it.each([
    ['nothing is there', undefined, undefined, 'not there yet'],
    ['packages went but the mark stayed', wanted, undefined, 'not there yet'],
    ['our mark fits', wanted, complete, undefined],
    ['npm install was run by hand', undefined, complete, undefined],
    ['the lockfile changed', installStamp('old', machine), { packages: {} }, 'has changed'],
    ['the lockfile changed and npm followed', installStamp('old', machine), complete, undefined],
    [
      'another version is in place',
      undefined,
      { packages: { 'node_modules/zod': { version: '3.0.0', integrity: 'sha512-b' } } },
      'has changed',
    ],
    [
      'Node has another major version',
      installStamp('lockfile', { ...machine, node: '22.1.0' }),
      complete,
      'another Node or platform',
    ],
    [
      'the folder was copied from a Mac',
      installStamp('lockfile', { ...machine, platform: 'darwin' }),
      complete,
      'another Node or platform',
    ],
  ])('when %s', (_, mark, inPlace, reason) => {
    const answer = whyInstall({ wanted, withDev: true, mark, locked, inPlace })
    if (reason === undefined) expect(answer).toBeUndefined()
    else expect(answer).toContain(reason)
  })

  it.each([
    ['start', false, undefined],
    ['tests', true, 'of checks and tests are not there'],
  ])('when only what a start needs is there, for %s', (_what, withDev, reason) => {
    const tool = { 'node_modules/vitest': { version: '4.1.0', dev: true } }
    const all = { packages: { ...locked.packages, ...tool } }
    const mark = markOf(wanted, false)
    const state = { wanted, withDev, locked: all, inPlace: complete }
    if (reason === undefined) expect(whyInstall({ ...state, mark })).toBeUndefined()
    else expect(whyInstall({ ...state, mark })).toContain(reason)
    // npm was run by hand.
    const byHand = whyInstall({ ...state, mark: undefined })
    expect(byHand).toBe(withDev ? 'package-lock.json has changed' : undefined)
  })

  it('does not depend on the minor version of Node', () => {
    expect(installStamp('lockfile', { ...machine, node: '20.20.2' })).toBe(wanted)
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
