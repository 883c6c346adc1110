import { readdir } from 'node:fs/promises'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { testDatabase } from './database.ts'
import { type Program, refusal, run, startServer } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

async function start(env: Record<string, string>) {
  const { program, url } = await startServer({ PUBLIC_URL: 'http://localhost:1', ...env })
  await program.printed('Bancone is ready')
  return { program, url: `${url}/auth/v1` }
}

const rotate = (env: Record<string, string>, ...args: string[]) => run('keys-rotate', env, args)

/** The output on success. */
async function rotated(program: Program) {
  expect(await program.ended, program.output()).toBe(0)
  const said = /^The new key (\S{43}) signs (from|since) (\S+Z)\.\n(.+)\n$/.exec(program.output())
  const [, kid = '', when = '', time = '', others = ''] = said ?? []
  return { kid, when, minutes: (Date.parse(time) - Date.now()) / 60_000, others }
}

const Keys = z.object({ keys: z.array(z.object({ kid: z.string() })) })

async function published(url: string): Promise<string[]> {
  const reply = await fetch(`${url}/.well-known/jwks.json`)
  return Keys.parse(await reply.json()).keys.map(({ kid }) => kid)
}

const Tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

async function tokens(url: string, grant: string, body: object) {
  const reply = await fetch(`${url}/token?grant_type=${grant}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(reply.status).toBe(200)
  const { access_token: access, refresh_token: refresh } = Tokens.parse(await reply.json())
  return { access, refresh, kid: decodeProtectedHeader(access).kid }
}

async function statusOf(url: string, access: string): Promise<number> {
  const reply = await fetch(`${url}/user`, { headers: { authorization: `Bearer ${access}` } })
  return reply.status
}

async function administrator(env: Record<string, string>) {
  const email = 'capo@example.it'
  const create = run('admin-create', env, ['--email', email])
  expect(await create.ended, create.output()).toBe(0)
  return { email, password: /shown this once: (\S+)/.exec(create.output())?.[1] ?? '' }
}

describe('npm run keys:rotate', () => {
  it('works on the database of a server that runs, and of one that does not', async () => {
    const env = { DATA_DIR: await temporaryFolder(), DEMO: '0' }
    const first = await start(env)
    const [old = ''] = await published(first.url)
    const before = await tokens(first.url, 'password', await administrator(env))
    expect(before.kid).toBe(old)

    const inOrder = await rotated(rotate(env))
    expect(inOrder.when).toBe('from')
    expect(inOrder.others).toContain('verify until')
    expect(inOrder.minutes).toBeGreaterThan(13)
    expect(inOrder.minutes).toBeLessThanOrEqual(15)
    expect(await statusOf(first.url, before.access)).toBe(200)
    expect(await first.program.end('SIGTERM'), first.program.output()).toBe(0)

    const atOnce = await rotated(rotate(env, '--now'))
    expect(atOnce.when).toBe('since')
    expect(atOnce.others).toContain('worth nothing')
    expect(atOnce.minutes).toBeLessThanOrEqual(0)

    const second = await start(env)
    expect(await published(second.url)).toEqual([atOnce.kid])
    expect(await statusOf(second.url, before.access)).toBe(403)
    const after = await tokens(second.url, 'refresh_token', { refresh_token: before.refresh })
    expect(after.kid).toBe(atOnce.kid)
    expect(await statusOf(second.url, after.access)).toBe(200)
  }, 60_000)

  it('gives a new database a key that signs, and adds no key that the servers could not use', async () => {
    const { url: databaseUrl, pool } = await testDatabase()
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: await temporaryFolder() }
    const { kid } = await rotated(rotate({ ...env, APP_SECRET: 's'.repeat(32) }))
    const kept = async () => {
      const keys = 'select kid, signs_from <= now() as signs, retired_at from auth_signing_keys'
      return (await pool.query<{ kid: string; signs: boolean }>(`${keys} order by signs`)).rows
    }
    const before = await kept()
    expect(before).toMatchObject([{ kid, signs: false }, { signs: true }])

    const [other, missing] = await Promise.all([
      refusal(rotate({ ...env, APP_SECRET: 'o'.repeat(32) }, '--now')),
      refusal(rotate(env, '--now')),
    ])
    expect(other).toContain('made with another APP_SECRET')
    expect(missing).toBe(
      `The server's secret is not in ${env.DATA_DIR}: set DATA_DIR or APP_SECRET to the server's.`,
    )
    expect(await readdir(env.DATA_DIR)).toEqual([])
    expect(await kept()).toEqual(before)
  }, 60_000)

  it('does nothing when it is not understood', async () => {
    const { url: databaseUrl, pool } = await testDatabase()
    const env = {
      DATABASE_URL: databaseUrl,
      DATA_DIR: await temporaryFolder(),
      APP_SECRET: 's'.repeat(32),
    }
    const refusals = await Promise.all([
      refusal(rotate(env, '--nwo')),
      refusal(rotate(env, 'now')),
      refusal(rotate({ ...env, PORT: 'x' })),
    ])
    expect(refusals).toEqual([
      expect.stringContaining("Unknown option '--nwo'"),
      expect.stringContaining("Unexpected argument 'now'"),
      expect.stringContaining('PORT must be a port number'),
    ])
    expect((await pool.query('select from auth_signing_keys')).rowCount).toBe(0)
  }, 60_000)
})
