import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { testDatabase } from './database.ts'
import { freePort, type Program, run } from './program.ts'

const READY = 'Bancone is ready'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'bancone keys '))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

async function start(env: Record<string, string>) {
  const port = await freePort()
  const program = run('main', {
    PORT: String(port),
    DEMO_ORDER_EVERY: '0',
    PUBLIC_URL: 'http://localhost:1',
    ...env,
  })
  await program.printed(READY)
  return { program, url: `http://127.0.0.1:${port}/auth/v1` }
}

const rotate = (env: Record<string, string>, ...args: string[]) => run('keys-rotate', env, args)

/** What it says when all went well. */
async function rotated(program: Program) {
  expect(await program.ended, program.output()).toBe(0)
  const said = /^The new key (\S{43}) signs (from|since) (\S+Z)\.\n(.+)\n$/.exec(program.output())
  const [, kid = '', when = '', time = '', others = ''] = said ?? []
  return { kid, when, minutes: (Date.parse(time) - Date.now()) / 60_000, others }
}

/** One line that a person can act on, and code 1. */
async function refusal(program: Program): Promise<string> {
  expect(await program.ended).toBe(1)
  const lines = program.output().trim().split('\n')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
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

const demo = { email: 'admin@demo.bancone.it', password: 'Bancone-demo-1' }

async function statusOf(url: string, access: string): Promise<number> {
  const reply = await fetch(`${url}/user`, { headers: { authorization: `Bearer ${access}` } })
  return reply.status
}

describe('npm run keys:rotate', () => {
  it('works on the database of a server that runs, and of one that does not', async () => {
    const env = { DATA_DIR: await folder(), DEMO: '1' }
    const first = await start(env)
    const [old = ''] = await published(first.url)
    const before = await tokens(first.url, 'password', demo)
    expect(before.kid).toBe(old)

    const inOrder = await rotated(rotate(env))
    expect(inOrder.when).toBe('from')
    expect(inOrder.others).toContain('verify until')
    expect(inOrder.minutes).toBeGreaterThan(13)
    expect(inOrder.minutes).toBeLessThanOrEqual(15)
    expect(await statusOf(first.url, before.access)).toBe(200)
    expect(await first.program.end('SIGTERM'), first.program.output()).toBe(0)

    const second = await start(env)
    expect(new Set(await published(second.url))).toEqual(new Set([inOrder.kid, old]))
    expect(await statusOf(second.url, before.access)).toBe(200)
    const meanwhile = await tokens(second.url, 'password', demo)
    expect(meanwhile.kid).toBe(old)
    expect(await second.program.end('SIGTERM'), second.program.output()).toBe(0)

    const atOnce = await rotated(rotate(env, '--now'))
    expect(atOnce.when).toBe('since')
    expect(atOnce.others).toContain('worth nothing')
    expect(atOnce.minutes).toBeLessThanOrEqual(0)

    const third = await start(env)
    expect(await published(third.url)).toEqual([atOnce.kid])
    expect(await statusOf(third.url, before.access)).toBe(403)
    const after = await tokens(third.url, 'refresh_token', { refresh_token: meanwhile.refresh })
    expect(after.kid).toBe(atOnce.kid)
    expect(await statusOf(third.url, after.access)).toBe(200)
  }, 60_000)

  it('leaves a new database with a key that signs', async () => {
    const { url: databaseUrl } = await testDatabase()
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: await folder(), APP_SECRET: 's'.repeat(32) }
    const { kid } = await rotated(rotate(env))
    const { url } = await start(env)
    const kids = await published(url)
    expect(kids).toHaveLength(2)
    expect(kids).toContain(kid)
  }, 60_000)

  it('adds no key that the servers could not use', async () => {
    const { url: databaseUrl, pool } = await testDatabase()
    const none = { DATABASE_URL: databaseUrl, DATA_DIR: await folder() }
    const { kid } = await rotated(rotate({ ...none, APP_SECRET: 's'.repeat(32) }))
    const kept = async () => {
      const keys = 'select kid, signs_from, retired_at from auth_signing_keys order by kid'
      return (await pool.query<{ kid: string }>(keys)).rows
    }
    const before = await kept()
    expect(before.map((key) => key.kid)).toContain(kid)

    const [other, missing] = await Promise.all([
      refusal(rotate({ ...none, APP_SECRET: 'o'.repeat(32) }, '--now')),
      refusal(rotate(none, '--now')),
    ])
    expect(other).toContain('made with another APP_SECRET')
    expect(missing).toBe(
      `The server's secret is not in ${none.DATA_DIR}: set DATA_DIR or APP_SECRET to the server's.`,
    )
    expect(await readdir(none.DATA_DIR)).toEqual([])
    expect(await kept()).toEqual(before)
  }, 60_000)

  it('does nothing when it is not understood', async () => {
    const { url: databaseUrl, pool } = await testDatabase()
    const env = { DATABASE_URL: databaseUrl, DATA_DIR: await folder(), APP_SECRET: 's'.repeat(32) }
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
