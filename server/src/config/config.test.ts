import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { StartupError } from '../base/startup-error.ts'
import { readConfig } from './config.ts'
import { variableNames } from './config-variables.ts'

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
      auth: {
        signup: false,
        anonymous: false,
        adminKey: undefined,
        origins: [],
        adminFactor: 'optional',
        currentPassword: 'optional',
        oidc: undefined,
      },
      mail: { smtpUrl: undefined, from: 'Bancone <no-reply@127.0.0.1>' },
      outboundAllow: [],
      previewHosts: [],
      trustProxy: false,
      logLevel: 'info',
      unknownNames: [],
    })
  })

  it('is told whole in the guide for those who run it', async () => {
    const guide = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
    const [, table = ''] = guide.split('## Configuration')
    const told = [...table.matchAll(/^\| (`[^|]+)\|/gm)]
      .flatMap(([, names = '']) => [...names.matchAll(/`([A-Z0-9_]+)`/g)])
      .map(([, name]) => name)
    expect(new Set(told)).toEqual(new Set(variableNames))
  })

  it('names what looks like a setting but is none', () => {
    const environment = { TRUST_PROXIES: '1', AUTH_SIGN_UP: '1', SMTP_URI: 'x', TRUST_PROXY: '1' }
    const others = { PATH: '/bin', NODE_ENV: 'production', PORTS: '1', LOG_FORMAT: '' }
    expect(readConfig({ ...environment, ...others }).unknownNames).toEqual([
      'TRUST_PROXIES',
      'AUTH_SIGN_UP',
      'SMTP_URI',
    ])
  })

  it('takes an empty variable for one that is not set', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '', DEMO: '' })).toEqual(readConfig({}))
  })

  it.each([
    [{ PORT: '8080', HOST: '127.0.0.2', DATA_DIR: '/tmp/x', LOG_LEVEL: 'debug' }, true],
    [{ HOST: '::1' }, true],
    [{ HOST: '0.0.0.0', DEMO: '1' }, true],
    [{ HOST: '0.0.0.0', DEMO: '0' }, false],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://bancone.example' }, false],
    [{ DATABASE_URL: 'postgres://localhost/x' }, false],
    [{ AIRTABLE_TOKEN: 'pat' }, false],
    [{ PUBLIC_URL: 'https://bancone.example' }, false],
    [{ DATABASE_URL: 'postgres://localhost/x', DEMO: '1' }, true],
    [{ DEMO: '0' }, false],
  ])('with %o the demo is on: %s', (environment, demo) => {
    expect(readConfig(environment).demo).toBe(demo)
    // Without the demo administrators need a second factor, unless that is switched off.
    const adminFactor = demo ? 'optional' : 'required'
    expect(readConfig(environment).auth.adminFactor).toBe(adminFactor)
    const off = { ...environment, ADMIN_MFA: 'optional' }
    expect(readConfig(off).auth.adminFactor).toBe('optional')
  })

  it.each(['0.0.0.0', '::', '192.168.1.5', 'counter.example', '127.0.0.1.example'])(
    'refuses to show the demo on %s until DEMO=1 says it too',
    (HOST) => {
      const read = () => readConfig({ HOST })
      expect(read).toThrow(StartupError)
      expect(read).toThrow(/^With HOST=\S+ others could reach the demo.*set DEMO=1/)
    },
  )

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

  it.each([
    ['AUTH_SIGNUP', '1', { auth: { signup: true, anonymous: false } }],
    ['AUTH_ANONYMOUS', '1', { auth: { signup: false, anonymous: true } }],
    ['AUTH_ADMIN_KEY', 'k'.repeat(32), { auth: { adminKey: 'k'.repeat(32) } }],
    ['AUTH_ORIGINS', 'https://a.it', { auth: { origins: ['https://a.it'] } }],
    [
      'AUTH_ORIGINS',
      'https://a.it:8443 ,http://localhost:5173',
      { auth: { origins: ['https://a.it:8443', 'http://localhost:5173'] } },
    ],
    ['AUTH_CURRENT_PASSWORD', 'required', { auth: { currentPassword: 'required' } }],
    ['ADMIN_MFA', 'required', { auth: { adminFactor: 'required' } }],
    ['SMTP_URL', 'smtp://mail.a.it', { mail: { smtpUrl: 'smtp://mail.a.it' } }],
    ['SMTP_URL', 'smtps://me:x@mail.a.it:465', { mail: { smtpUrl: 'smtps://me:x@mail.a.it:465' } }],
    ['MAIL_FROM', 'a@a.it', { mail: { from: 'a@a.it' } }],
    ['MAIL_FROM', 'Farmacia <a@a.it>', { mail: { from: 'Farmacia <a@a.it>' } }],
    ['PUBLIC_URL', 'https://b.it:8443', { mail: { from: 'Bancone <no-reply@b.it>' } }],
    ['OUTBOUND_ALLOW', 'http://10.0.0.5:8080', { outboundAllow: ['http://10.0.0.5:8080'] }],
    ['METRICS_PORT', '9464', { metricsPort: 9464 }],
    ['PREVIEW_HOSTS', 'Demo.a.it , b.it', { previewHosts: ['demo.a.it', 'b.it'] }],
  ])('takes %s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toMatchObject(expected)
  })

  const notKey = 'must have 32 characters at least, without spaces'
  const notOrigins = 'must be origins like https://app.example.it, with commas between them'
  const notProvider = 'must be a short name in lower case, as in google'
  const notAddress = 'must be an address, as in Bancone <bancone@example.it>'
  const notSmtp = 'must be an smtp:// or smtps:// address'
  it.each([
    ['AUTH_SIGNUP', 'true', 'must be 0 or 1'],
    ['AUTH_ANONYMOUS', '2', 'must be 0 or 1'],
    ['AUTH_ADMIN_KEY', 'k'.repeat(31), notKey],
    ['AUTH_ADMIN_KEY', `${'k'.repeat(32)} k`, notKey],
    ['AUTH_ORIGINS', '*', notOrigins],
    ['AUTH_ORIGINS', 'null', notOrigins],
    ['AUTH_ORIGINS', 'a.it', notOrigins],
    ['AUTH_ORIGINS', 'https://a.it/', notOrigins],
    ['AUTH_ORIGINS', 'https://a.it:443', notOrigins],
    ['AUTH_ORIGINS', 'https://*.a.it', notOrigins],
    ['AUTH_ORIGINS', 'https://me@a.it', notOrigins],
    ['AUTH_ORIGINS', 'ftp://a.it', notOrigins],
    ['AUTH_ORIGINS', 'https://a.it,', notOrigins],
    ['AUTH_ORIGINS', 'https://a.it https://b.it', notOrigins],
    ['METRICS_PORT', '3000', 'must not be PORT'],
    ['ADMIN_MFA', '1', 'must be optional or required'],
    ['AUTH_OIDC_ISSUER', 'a.it', 'must be an http(s) address'],
    ['AUTH_OIDC_PROVIDER', 'Google', notProvider],
    ['AUTH_OIDC_PROVIDER', 'my provider', notProvider],
    ['AUTH_OIDC_PROVIDER', 'email', 'must not be email or phone'],
    ['AUTH_OIDC_NAME', 'n'.repeat(41), 'must have 40 characters at most'],
    ['PRODUCT_IMAGE_URL', 'https://a.it/x.jpg', 'must have {minsan} in it'],
    ['PRODUCT_IMAGE_URL', 'https://me:x@a.it/{minsan}', 'must have no password in it'],
    ['AIC_REGISTER_URL', '/register.csv', 'must be an http(s) address, or a file:// one'],
    ['AI_WEBHOOK_URL', 'a.it/webhook', 'must be an http(s) address'],
    ['AI_WEBHOOK_URL', 'https://me:100%@a.it/x', 'must have %25 for a % in its name and password'],
    ['SMTP_URL', 'mail.a.it', notSmtp],
    ['SMTP_URL', 'http://mail.a.it', notSmtp],
    ['MAIL_FROM', 'Farmacia', notAddress],
    ['MAIL_FROM', 'a@', notAddress],
    ['MAIL_FROM', 'a@a.it\nBcc: b@b.it', notAddress],
    ['MAIL_FROM', 'a@a.it\r', notAddress],
  ])('refuses %s=%j', (name, value, message) => {
    const read = () => readConfig({ [name]: value })
    expect(read).toThrow(StartupError)
    expect(read).toThrow(new StartupError(`The configuration has mistakes: ${name} ${message}.`))
  })

  const provider = {
    AUTH_OIDC_ISSUER: 'https://accounts.a.it/realm',
    AUTH_OIDC_CLIENT_ID: 'bancone',
    AUTH_OIDC_CLIENT_SECRET: 'hunter2',
  }

  it('takes a provider of OpenID Connect, under the name it is given', () => {
    const oidc = {
      provider: 'oidc',
      name: 'oidc',
      issuer: 'https://accounts.a.it/realm',
      clientId: 'bancone',
      clientSecret: 'hunter2',
    }
    expect(readConfig(provider).auth.oidc).toEqual(oidc)
    const named = readConfig({
      ...provider,
      AUTH_OIDC_PROVIDER: 'google',
      AUTH_OIDC_NAME: 'Google',
    })
    expect(named.auth.oidc).toEqual({ ...oidc, provider: 'google', name: 'Google' })
    expect(readConfig({ AUTH_OIDC_PROVIDER: 'google' }).auth.oidc).toBeUndefined()
  })

  it.each(Object.keys(provider))('refuses a provider without %s', (name) => {
    const read = () => readConfig({ ...provider, [name]: '' })
    expect(read).toThrow(StartupError)
    expect(read).toThrow('AUTH_OIDC_CLIENT_SECRET go together')
    expect(read).not.toThrow('hunter2')
  })

  it.each([
    ['http://localhost:8080', true],
    ['http://127.0.0.1:8080', true],
    ['http://accounts.a.it', false],
    ['http://localhost.a.it', false],
    ['http://10.0.0.5', false],
  ])('believes a provider at %s: %s', (issuer, expected) => {
    const read = () => readConfig({ ...provider, AUTH_OIDC_ISSUER: issuer }).auth.oidc?.issuer
    if (expected) expect(read()).toBe(issuer)
    else expect(read).toThrow('must be an https address, or be on this machine')
  })

  const application = {
    META_APP_ID: '1',
    META_APP_SECRET: 'hunter2',
    META_CONFIG_ID: '2',
    META_WEBHOOK_VERIFY_TOKEN: 'v'.repeat(16),
  }

  it('takes an application at Meta, whole, and a stand-in on this machine', () => {
    const meta = {
      appId: '1',
      appSecret: 'hunter2',
      configId: '2',
      verifyToken: 'v'.repeat(16),
      graphUrl: undefined,
    }
    expect(readConfig(application).meta).toEqual(meta)
    const graphUrl = 'http://127.0.0.1:9'
    expect(readConfig({ ...application, META_GRAPH_URL: graphUrl }).meta).toEqual({
      ...meta,
      graphUrl,
    })
    expect(() => readConfig({ ...application, META_GRAPH_URL: 'http://a.it' })).toThrow('https')
    for (const name of Object.keys(application))
      expect(() => readConfig({ ...application, [name]: '' })).toThrow('go together')
  })

  it('has a pooler only of a database that is given', () => {
    const pooler = { DATABASE_POOL_URL: 'postgres://localhost:6432/x' }
    expect(() => readConfig(pooler)).toThrow('DATABASE_POOL_URL belongs to')
    expect(readConfig({ DATABASE_URL: 'postgres://localhost/x', ...pooler })).toMatchObject({
      databasePoolUrl: pooler.DATABASE_POOL_URL,
    })
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
      AUTH_SIGNUP: 'maybe',
      AUTH_ANONYMOUS: 'maybe',
      AUTH_ADMIN_KEY: 'hunter2',
      AUTH_ORIGINS: '*',
      ADMIN_MFA: 'maybe',
      AUTH_OIDC_ISSUER: 'ftp://hunter2@x',
      AUTH_OIDC_PROVIDER: 'hunter2!',
      SMTP_URL: 'smpt://me:hunter2@localhost',
      MAIL_FROM: 'nobody',
    }
    const read = () => readConfig(environment)
    expect(read).toThrow(StartupError)
    for (const name of Object.keys(environment)) expect(read).toThrow(name)
    expect(read).not.toThrow('hunter2')
    expect(read).not.toThrow('too short')
  })
})
