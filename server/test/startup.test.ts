import { readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { variantUrl } from '@bancone/contract/image-variants'
import { listOffers, offerState } from '@bancone/contract/offers'
import { visitOpenId } from '@bancone/sandbox/openid'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { withClient } from '../src/database/client.ts'
import { connectDatabase } from '../src/database/database.ts'
import { startEmbedded } from '../src/database/embedded.ts'
import { breakableConnection } from './breakable-connection.ts'
import { canContain, container } from './container.ts'
import { emptyDatabase, testDatabase } from './database.ts'
import { busyPort, freePort, refusal, run, runCommand, startServer } from './program.ts'
import { silentLog } from './silent-log.ts'
import { temporaryFolder } from './temporary-folder.ts'

const READY = 'Bancone is ready'

/** Without the new orders that the demo creates over time. */
const start = (env: Record<string, string> = {}) => startServer({ DEMO_ORDER_EVERY: '0', ...env })

function signIn(url: string, email: string, password: string): Promise<Response> {
  return fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
}

/** @returns the access token of an account of the demo */
async function signedIn(url: string, email: string): Promise<string> {
  const reply = await signIn(url, email, 'Bancone-demo-1')
  return z.object({ access_token: z.string() }).parse(await reply.json()).access_token
}

/** Signs in with the demo's external provider. @returns the final URL */
async function visitDemoId(url: string, email: string): Promise<string> {
  const options = { redirect: 'manual' } as const
  const left = await fetch(`${url}/auth/v1/authorize?provider=demoid`, options)
  const [cookie = ''] = left.headers.getSetCookie()
  const back = await visitOpenId(left.headers.get('location') ?? '', email)
  const headers = { cookie: cookie.split(';')[0] ?? '' }
  return (await fetch(back, { ...options, headers })).headers.get('location') ?? ''
}

/** Calls the API as the demo's first pharmacy. */
async function ask(url: string, path: string, body?: object): Promise<unknown> {
  const token = await signedIn(url, 'farmacia@demo.bancone.it')
  const reply = await fetch(url + path, {
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  return reply.json()
}

// Each test starts the program up to six times.
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
    expect(limit.active).toBeLessThanOrEqual(limit.most ?? 0)
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

    expect(await program.end('SIGTERM'), program.output()).toBe(0)
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

describe.runIf(canContain)('in a container', () => {
  it('npm start as process 1 hands SIGTERM on to the server, which stops in order', async () => {
    const env = {
      PORT: String(await freePort()),
      DATABASE_URL: (await testDatabase()).url,
      DATA_DIR: await temporaryFolder(),
      LOG_LEVEL: 'info',
    }
    const [unshare, ...args] = [...container, 'npm', 'start']
    const program = runCommand(unshare, args, env, 'SIGKILL')
    await program.printed(READY)
    const children = await readFile(`/proc/${program.pid}/task/${program.pid}/children`, 'utf8')
    process.kill(Number(children), 'SIGTERM')
    expect(await program.ended, program.output()).toBe(0)
    expect(program.output()).toContain('"msg":"stopped"')
  })
})

describe('a demo on a database of its own', () => {
  it('is made once by servers that start at once, and is known to those that start later', async () => {
    const { url: databaseUrl } = await emptyDatabase()
    const env = {
      DATABASE_URL: databaseUrl,
      PUBLIC_URL: 'http://localhost:1',
      APP_SECRET: 's'.repeat(32),
      AIRTABLE_TOKEN: 'none',
      DEMO: '1',
    }
    const files = await temporaryFolder()
    const startOne = async () => {
      const dataDir = await temporaryFolder()
      await symlink(files, join(dataDir, 'files'), 'junction')
      return start({ ...env, DATA_DIR: dataDir })
    }
    const servers = await Promise.all([startOne(), startOne()])
    await Promise.all(servers.map(({ program }) => program.printed(READY)))
    const authorization = `Bearer ${await signedIn(servers[0].url, 'admin@demo.bancone.it')}`
    for (const { program, url } of servers) {
      const reply = await fetch(`${url}/auth/v1/user`, { headers: { authorization } })
      expect(reply.status).toBe(200)
      expect(await program.end('SIGINT'), program.output()).toBe(0)
    }

    const connection = connectDatabase(databaseUrl)
    await connection.pool.query("delete from auth_users where email like 'giulia@%'")
    await connection.close()
    const [again, real, other] = await Promise.all([
      start(env),
      start({ ...env, DEMO: '0' }),
      start({ ...env, APP_SECRET: 'o'.repeat(32) }),
    ])
    await again.program.printed(READY)
    expect(again.program.output()).toContain('farmacia@')
    expect(again.program.output()).not.toContain('giulia@')
    expect((await signIn(again.url, 'farmacia@demo.bancone.it', 'Bancone-demo-1')).status).toBe(200)
    expect(await refusal(real.program)).toContain('whose password everybody knows')
    expect(await refusal(other.program)).toContain('made with another APP_SECRET')
  })
})

describe('a start without the demo', () => {
  it('is empty, and gets its first administrator while it runs', async () => {
    const { url: databaseUrl, pool } = await testDatabase()
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: await temporaryFolder() }
    const { program, url } = await start(env)
    await program.printed(READY)
    const { rows: sessions } = await pool.query<{ role: string }>(
      `select distinct usename as role from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()`,
    )
    expect(sessions.map(({ role }) => /_app_[0-9a-f]{12}$/.test(role))).toEqual([true])
    expect(program.output()).not.toContain('demo.bancone.it')
    expect((await signIn(url, 'admin@demo.bancone.it', 'Bancone-demo-1')).status).toBe(400)

    const create = (email: string) => run('admin-create', env, ['--email', email])
    const created = create('capo@example.it')
    expect(await created.ended).toBe(0)
    const password = /shown this once: (\S+)/.exec(created.output())?.[1] ?? ''
    expect((await signIn(url, 'capo@example.it', password)).status).toBe(200)

    const refusals = [create('CAPO@example.it'), create('capo')].map(refusal)
    expect(await Promise.all(refusals)).toEqual([
      expect.stringContaining('There is an account'),
      expect.stringContaining('An e-mail address is needed'),
    ])
  })
})

it('a server with DRAIN_SECONDS answers on after SIGTERM, and says that it is not ready', async () => {
  const { url: databaseUrl } = await testDatabase()
  const { program, url } = await start({ DATABASE_URL: databaseUrl, DRAIN_SECONDS: '1' })
  await program.printed(READY)
  const ended = program.end('SIGTERM')
  await vi.waitUntil(async () => (await fetch(`${url}/readyz`)).status === 503)
  const reply = await fetch(`${url}/login`)
  expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close'])
  expect(await ended).toBe(0)
})

describe('a start that cannot be', () => {
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
    const file = join(await temporaryFolder(), 'a file')
    await writeFile(file, '')
    const { program } = await start({ DATA_DIR: join(file, 'data') })
    expect(await refusal(program)).toContain(
      `Cannot write to the data folder ${join(file, 'data')}`,
    )
    expect(await readFile(file, 'utf8')).toBe('')
  })

  it('says that the database does not let it in', async () => {
    const wrong = new URL(inject('databaseUrl'))
    wrong.password = 'wrong'
    const { program } = await start({ DATABASE_URL: wrong.href })
    expect(await refusal(program)).toContain('password authentication failed')
  })

  it('of a command ends where the database cannot be reached, and does not print the password', async () => {
    const none = `postgres://me:hunter2@127.0.0.1:${await freePort()}/x`
    const created = run('admin-create', { DATABASE_URL: none }, ['--email', 'capo@example.it'])
    const line = await refusal(created)
    expect(line).toContain('The database of DATABASE_URL cannot be used: connect ECONNREFUSED')
    expect(line).not.toContain('hunter2')
  })
})

describe('a start during an outage', () => {
  const WAITS = 'the start waits for the database'

  it('waits for the database, says so, and goes on', async () => {
    const line = await breakableConnection((await testDatabase()).url)
    line.down(true)
    const { program, url } = await start({ DATABASE_URL: line.url, LOG_LEVEL: 'warn' })
    await program.printed(WAITS)
    expect(program.output()).not.toContain(new URL(line.url).password)
    line.down(false)
    await program.printed(READY)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  it('can be given up', async () => {
    const none = `postgres://me:hunter2@127.0.0.1:${await freePort()}/x`
    const { program } = await start({ DATABASE_URL: none, LOG_LEVEL: 'warn' })
    await program.printed(WAITS)
    expect(await program.end('SIGTERM')).toBe(0)
  })

  it('says that its commits wait for a standby', async () => {
    const database = await startEmbedded({
      dataDir: await temporaryFolder(),
      log: silentLog,
      onLost() {},
    })
    onTestFinished(() => database.stop())
    const setStandby = (name: string) =>
      withClient(database.url, async (client) => {
        await client.query(`alter system set synchronous_standby_names = '${name}'`)
        await client.query('select pg_reload_conf()')
      })
    await setStandby('missing')
    const { program } = await start({ DATABASE_URL: database.url, LOG_LEVEL: 'warn' })
    await program.printed('commits wait for a synchronous standby')
    await setStandby('')
    await program.printed(READY)
  })
})
