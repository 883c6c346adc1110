import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { breakableConnection } from '../../../test/breakable-connection.ts'
import { storageServer } from '../../../test/conformance/storage/storage-server.ts'
import { testApp } from '../../../test/server.ts'
import { silentLog } from '../../../test/silent-log.ts'
import { testFileFolder } from '../../../test/temporary-folder.ts'
import { connectDatabase } from '../../database/database.ts'
import { runJobs } from '../jobs.ts'

const folder = await testFileFolder()
const server = await storageServer({ files: { folder, s3: undefined } })

const upload = (name: string) =>
  fetch(`${server.url}/object/pharmacies/${name}`, {
    method: 'PUT',
    headers: { ...server.as.own, 'content-type': 'text/plain' },
    body: 'ciao',
  })

const get = (name: string) =>
  fetch(`${server.url}/object/pharmacies/${name}`, { headers: server.as.own })

async function count(table: string): Promise<number> {
  const { rows } = await server.database.pool.query(`select count(*)::int as n from ${table}`)
  return (rows as { n: number }[])[0]?.n ?? 0
}

describe('a bucket with very much in it', () => {
  it('is emptied by and by, of what was in it then', async () => {
    const { pool } = server.database
    await pool.query(`insert into storage_buckets (id, name) values ('pieno', 'pieno')`)
    await pool.query(
      `insert into stored_files (key) select 'objects/many-' || n from generate_series(1, 2100) n`,
    )
    await pool.query(
      `insert into storage_objects (bucket_id, name, file_key, size, content_type, etag)
       select 'pieno', 'x/' || n, 'objects/many-' || n, 1, 'text/plain', '"x"'
       from generate_series(1, 2100) n`,
    )
    const headers = server.as.admin
    const reply = await fetch(`${server.url}/bucket/pieno/empty`, { method: 'POST', headers })
    expect(reply.status).toBe(200)
    expect(await count(`storage_objects where bucket_id = 'pieno'`)).toBe(1100)
    const later = await fetch(`${server.url}/object/pieno/x/1`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'text/plain' },
      body: 'put after it was emptied',
    })
    expect(later.status).toBe(200)
    // Their rows are as old as the others.
    const { rows } = await pool.query(
      `select name from storage_objects where bucket_id = 'pieno' and size = 1 limit 2`,
    )
    const [replaced = '', left = ''] = (rows as { name: string }[]).map(({ name }) => name)
    const again = await fetch(`${server.url}/object/pieno/${replaced}`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'text/plain' },
      body: 'put in the place of what was there',
    })
    expect(again.status).toBe(200)
    const moved = await fetch(`${server.url}/object/move`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ bucketId: 'pieno', sourceKey: left, destinationKey: 'x/moved' }),
    })
    expect(moved.status).toBe(200)
    const jobs = await runJobs(server.database.url, { tasks: server.jobs.tasks }, silentLog)
    await vi.waitFor(
      async () => expect(await count(`storage_objects where bucket_id = 'pieno'`)).toBe(3),
      { timeout: 20_000 },
    )
    await jobs.stop()
    // The file of the moved object.
    expect(await count(`stored_files where key like 'objects/many-%'`)).toBe(1)
  })
})

describe('trouble', () => {
  it('with the database passes, and says so in the words of the protocol', async () => {
    const line = await breakableConnection(server.database.url)
    const connection = connectDatabase(line.url)
    const { app, wired } = await testApp(
      connection,
      { files: { folder, s3: undefined } },
      silentLog,
    )
    const headers = server.as.own
    const url = `/storage/v1/object/pharmacies/${server.own}/nothing`
    expect((await app.inject({ url, headers })).statusCode).toBe(404)
    line.down(true)
    const reply = await app.inject({ url, headers })
    expect(reply.statusCode).toBe(503)
    expect(reply.headers['retry-after']).toBe('2')
    expect(reply.json()).toEqual({
      statusCode: '503',
      error: 'unavailable',
      code: 'SlowDown',
      message: 'The service is busy, try again',
    })
    line.down(false)
    await vi.waitFor(
      async () => expect((await app.inject({ url, headers })).statusCode).toBe(404),
      { timeout: 20_000 },
    )
    await app.close()
    await wired.close()
    await connection.close()
  })

  it('with the disk is told apart from what is not there', async () => {
    const name = `${server.own}/lost`
    expect((await upload(name)).status).toBe(200)
    await rm(join(folder, 'files', 'objects'), { recursive: true })
    const reply = await get(name)
    expect(reply.status).toBe(404)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    // It can be uploaded again.
    expect((await upload(name)).status).toBe(200)
    expect(await (await get(name)).text()).toBe('ciao')
  })

  it('with the session ends everything', async () => {
    const { authorization } = await server.signIn('other@example.it')
    const url = `${server.url}/object/list/pharmacies`
    const list = () =>
      fetch(url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ prefix: '' }),
      })
    expect((await list()).status).toBe(200)
    await server.app.inject({
      method: 'POST',
      url: '/auth/v1/logout',
      headers: { authorization },
    })
    const reply = await list()
    expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'InvalidJWT' }])
  })

  it('comes of the key where browsers could send it', async () => {
    const headers = { ...server.as.adminKey, origin: 'https://elsewhere.example.it' }
    const reply = await fetch(`${server.url}/bucket`, { headers })
    expect([reply.status, await reply.json()]).toMatchObject([403, { code: 'AccessDenied' }])
    expect((await fetch(`${server.url}/bucket`, { headers: server.as.adminKey })).status).toBe(200)
  })

  it.each([
    ['GET', 'nowhere', {}],
    ['POST', 'object/list/pharmacies', { 'content-type': 'text/plain' }],
    ['PATCH', 'bucket/pharmacies', {}],
  ])('with what is asked for (%s %s) is JSON', async (method, path, headers) => {
    const reply = await fetch(`${server.url}/${path}`, {
      method,
      headers: { ...server.as.own, ...headers },
      ...(method === 'POST' && { body: '{' }),
    })
    expect([400, 404]).toContain(reply.status)
    expect(await reply.json()).toMatchObject({ statusCode: String(reply.status) })
  })
})
