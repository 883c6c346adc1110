import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listColleagues } from '@bancone/contract/colleagues'
import { variantUrl } from '@bancone/contract/image-variants'
import { listOffers, offerState } from '@bancone/contract/offers'
import { visitOpenId } from '@bancone/sandbox/openid'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { emptyDatabase, testDatabase } from './database.ts'
import { busyPort, freePort, type Program, run } from './program.ts'

const READY = 'Bancone is ready'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'bancone start '))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

async function start(env: Record<string, string> = {}) {
  const port = await freePort()
  const dataDir = env['DATA_DIR'] ?? (await folder())
  const program = run('main', {
    PORT: String(port),
    DATA_DIR: dataDir,
    DEMO_ORDER_EVERY: '0',
    ...env,
  })
  return { program, dataDir, url: `http://127.0.0.1:${port}` }
}

/** One line that a person can act on, and code 1. */
async function refusal(program: Program): Promise<string> {
  expect(await program.ended).toBe(1)
  const lines = program.output().trim().split('\n')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

function signIn(url: string, email: string, password: string): Promise<Response> {
  return fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
}

/** Signs in with the demo's other service. @returns where that leads */
async function visitDemoId(url: string, email: string): Promise<string> {
  const options = { redirect: 'manual' } as const
  const left = await fetch(`${url}/auth/v1/authorize?provider=demoid`, options)
  const [cookie = ''] = left.headers.getSetCookie()
  const back = await visitOpenId(left.headers.get('location') ?? '', email)
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  return (await fetch(back, { ...options, headers })).headers.get('location') ?? ''
}

/** What the demo's first pharmacy is answered. */
async function ask(
  url: string,
  path: string,
  body?: object,
  method = body ? 'POST' : 'GET',
): Promise<unknown> {
  const signedIn = await signIn(url, 'farmacia@demo.bancone.it', 'Bancone-demo-1')
  const { access_token: token } = z
    .object({ access_token: z.string() })
    .parse(await signedIn.json())
  const reply = await fetch(url + path, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    method,
    ...(body && { body: JSON.stringify(body) }),
  })
  return reply.json()
}

// Each starts the whole program up to five times, with a PostgreSQL of its own, beside other tests.
vi.setConfig({ testTimeout: 180_000 })

describe('a start with nothing configured', () => {
  it('prints the address and the demo accounts, whose passwords work, and stops in order', async () => {
    const { program, dataDir, url } = await start()
    await program.printed(READY)
    for (const text of [url, 'farmacia@', 'giulia@', 'garibaldi@', 'admin@', 'Bancone-demo-1']) {
      expect(program.output()).toContain(text)
    }
    for (const who of ['farmacia', 'giulia', 'garibaldi', 'admin']) {
      expect((await signIn(url, `${who}@demo.bancone.it`, 'Bancone-demo-1')).status).toBe(200)
    }
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const draft = await ask(url, '/api/assistant/product-drafts', { productName: 'Tachipirina' })
    expect(draft).toMatchObject({ minsan: { code: '012745093' } })
    const found = await ask(url, '/api/product-images', { minsan: '012745093' })
    expect(found).toMatchObject({ source: 'download' })
    const { offers, limit, today } = listOffers.response.parse(await ask(url, '/api/offers'))
    expect(offers).toHaveLength(9)
    expect(limit.active).toBeLessThanOrEqual(limit.most)
    const states = offers.map(({ fields }) => offerState(fields, today))
    expect(new Set(states)).toEqual(new Set(['active', 'inactive', 'scheduled', 'expired']))
    for (const { fields } of offers) {
      const picture = await fetch(url + variantUrl(fields.URL_Immagine, 'card'))
      expect([fields.URL_Immagine, picture.status]).toEqual([fields.URL_Immagine, 200])
    }
    expect(await visitDemoId(url, 'farmacia@demo.bancone.it')).toContain('access_token=')
    expect(await visitDemoId(url, 'ospite@demo.bancone.it')).toContain('signup_disabled')
    const { mode } = await stat(join(dataDir, 'app-secret'))
    expect(mode & 0o777).toBe(0o600)

    const second = await start({ DATA_DIR: dataDir })
    expect(await refusal(second.program)).toContain('Another Bancone server is already using')

    const { colleagues } = listColleagues.response.parse(await ask(url, '/api/colleagues'))
    await ask(url, `/api/colleagues/${colleagues[1]?.id}`, {}, 'DELETE')
    expect(await program.end('SIGTERM'), program.output()).toBe(0)
    const again = await start({ DATA_DIR: dataDir })
    await again.program.printed(READY)
    // An account that is there no more is not announced.
    expect(again.program.output()).toContain('farmacia@')
    expect(again.program.output()).not.toContain('giulia@')
    expect((await signIn(again.url, 'farmacia@demo.bancone.it', 'Bancone-demo-1')).status).toBe(200)
    expect(await again.program.end('SIGINT'), again.program.output()).toBe(0)

    const real = await start({ DATA_DIR: dataDir, DEMO: '0' })
    expect(await refusal(real.program)).toContain('whose password everybody knows')
  })

  it.each(['SIGTERM', 'SIGHUP'] as const)(
    'can be given up by %s before it is ready, and leaves no PostgreSQL',
    async (signal) => {
      const { program, dataDir } = await start()
      const lockFile = join(dataDir, 'postgres', 'postmaster.pid')
      const postmaster = await vi.waitUntil(
        async () => Number((await readFile(lockFile, 'utf8').catch(() => '')).split('\n')[0]),
        { timeout: 20_000, interval: 5 },
      )
      expect(program.output()).not.toContain(READY)
      expect(await program.end(signal)).toBe(0)
      expect(() => process.kill(postmaster, 0)).toThrow('ESRCH')
      expect(program.output()).toBe('')
    },
  )
})

describe('several that start at once on a new database', () => {
  it('share one demo and one key', async () => {
    const { url: databaseUrl } = await emptyDatabase()
    const env = {
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: 'http://localhost:1',
      APP_SECRET: 's'.repeat(32),
      AIRTABLE_TOKEN: 'none',
      DEMO: '1',
    }
    const servers = await Promise.all([start(env), start(env), start(env)])
    await Promise.all(servers.map(({ program }) => program.printed(READY)))
    const signedIn = await signIn(servers[0].url, 'admin@demo.bancone.it', 'Bancone-demo-1')
    const { access_token: token } = z
      .object({ access_token: z.string() })
      .parse(await signedIn.json())
    const authorization = `Bearer ${token}`
    for (const { url } of servers) {
      const reply = await fetch(`${url}/auth/v1/user`, { headers: { authorization } })
      expect(reply.status).toBe(200)
    }
  })
})

describe('a start without the demo', () => {
  it('is empty, and gets its first administrator while it runs', async () => {
    const { url: databaseUrl } = await testDatabase()
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: await folder() }
    const { program, url } = await start(env)
    await program.printed(READY)
    expect(program.output()).not.toContain('demo.bancone.it')
    expect((await signIn(url, 'admin@demo.bancone.it', 'Bancone-demo-1')).status).toBe(400)

    const create = run('admin-create', env, ['--email', 'capo@example.it'])
    expect(await create.ended).toBe(0)
    const password = /shown this once: (\S+)/.exec(create.output())?.[1] ?? ''
    expect((await signIn(url, 'capo@example.it', password)).status).toBe(200)

    const twice = run('admin-create', env, ['--email', 'CAPO@example.it'])
    expect(await refusal(twice)).toContain('There is an account')
    const nobody = run('admin-create', env, ['--email', 'capo'])
    expect(await refusal(nobody)).toContain('An e-mail address is needed')
  })
})

describe('a start that cannot be', () => {
  const databaseUrl = () => inject('databaseUrl')

  it('names every mistake of the configuration', async () => {
    const { program } = await start({ PORT: 'x', LOG_LEVEL: 'loud' })
    const line = await refusal(program)
    expect(line).toContain('PORT must be a port number')
    expect(line).toContain('LOG_LEVEL must be one of')
  })

  it('says that the port is in use', async () => {
    const port = await busyPort()
    const { url } = await testDatabase()
    const { program } = await start({ PORT: String(port), DATABASE_URL: url })
    expect(await refusal(program)).toBe(
      `Port ${port} of 127.0.0.1 is in use: stop what uses it, or set PORT to another one.`,
    )
  })

  it('says that the folder cannot be made', async () => {
    const file = join(await folder(), 'a file')
    await writeFile(file, '')
    const { program } = await start({ DATA_DIR: join(file, 'data') })
    expect(await refusal(program)).toContain(
      `Cannot write to the data folder ${join(file, 'data')}`,
    )
    expect(await readFile(file, 'utf8')).toBe('')
  })

  it('says that there is no such database, without the password', async () => {
    const nobody = await start({
      DATABASE_URL: `postgres://me:hunter2@127.0.0.1:${await freePort()}/x`,
    })
    const line = await refusal(nobody.program)
    expect(line).toContain('The database of DATABASE_URL cannot be used: connect ECONNREFUSED')
    expect(line).not.toContain('hunter2')

    const url = new URL(databaseUrl())
    url.password = 'wrong'
    const wrong = await start({ DATABASE_URL: url.href })
    expect(await refusal(wrong.program)).toContain('password authentication failed')
  })

  it('says that the secret is not the one the keys were made with', async () => {
    const { url } = await testDatabase()
    const first = await start({ DATABASE_URL: url, APP_SECRET: 'a'.repeat(32) })
    await first.program.printed(READY)
    await first.program.end('SIGTERM')
    const second = await start({ DATABASE_URL: url, APP_SECRET: 'b'.repeat(32) })
    expect(await refusal(second.program)).toContain('APP_SECRET')
  })
})
