import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { StartupError } from './startup-error.ts'

describe('the configuration', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://127.0.0.1:3000',
      databaseUrl: undefined,
      demo: true,
      appSecret: undefined,
      airtable: { token: undefined, apiUrl: 'https://api.airtable.com' },
      demoOrderEvery: 45,
      trustProxy: false,
      logLevel: 'info',
    })
  })

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', DEMO: '' })).toEqual(readConfig({}))
  })

  it.each([
    [{ PORT: '8080', HOST: '0.0.0.0', DATA_DIR: '/tmp/x', LOG_LEVEL: 'debug' }, true],
    [{ DATABASE_URL: 'postgres://localhost/x' }, false],
    [{ AIRTABLE_TOKEN: 'pat' }, false],
    [{ PUBLIC_URL: 'https://bancone.example' }, false],
    [{ DATABASE_URL: 'postgres://localhost/x', DEMO: '1' }, true],
    [{ DEMO: '0' }, false],
  ])('with %o the demo is on: %s', (environment, demo) => {
    expect(readConfig(environment).demo).toBe(demo)
  })

  it.each([
    ['0', false],
    ['false', false],
    ['2', 2],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('trusts the proxies of %s', (value, expected) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toEqual(expected)
  })

  it('drops a slash at the end of the public address', () => {
    expect(readConfig({ PUBLIC_URL: 'https://bancone.example/' }).publicUrl).toBe(
      'https://bancone.example',
    )
  })

  it('names every mistake in one message, and none of the values', () => {
    const environment = {
      PORT: '99999',
      PUBLIC_URL: 'bancone.example',
      DATABASE_URL: 'mysql://root:hunter2@localhost',
      DEMO: 'yes',
      APP_SECRET: 'too short',
      AIRTABLE_API_URL: 'ftp://x',
      DEMO_ORDER_EVERY: '-1',
      TRUST_PROXY: 'everyone',
      LOG_LEVEL: 'loud',
    }
    const read = () => readConfig(environment)
    expect(read).toThrow(StartupError)
    for (const name of Object.keys(environment)) expect(read).toThrow(name)
    expect(read).not.toThrow('hunter2')
    expect(read).not.toThrow('too short')
  })
})
