import { decodeJwt, type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createSecrets } from '../../../src/platform/secrets.ts'
import { type Client, clientOf, ok } from './clients.ts'
import { type StorageServer, storageServer } from './storage-server.ts'

const SECRET = 'Segretissimo'
const secrets = createSecrets('a secret of the tests, long enough for them')
const key = secrets.key('storage links')

let server: StorageServer
let files: ReturnType<Client['from']>
let name: string
let down: string
let up: string

beforeAll(async () => {
  server = await storageServer()
  const admin = clientOf(server, server.as.admin)
  await ok(admin.createBucket('second'))
  files = clientOf(server, server.as.own).from('pharmacies')
  name = `${server.own}/a.txt`
  await ok(files.upload(name, SECRET))
  await ok(files.upload(`${server.own}/b.txt`, SECRET))
  await ok(files.upload(`${server.own}/a.txt.bak`, SECRET))
  await ok(admin.from('second').upload(name, SECRET))
  down = tokenOf((await ok(files.createSignedUrl(name, 60))).signedUrl)
  up = (await ok(files.createSignedUploadUrl(`${server.own}/new.txt`))).token
})

const tokenOf = (url: string) => new URL(url).searchParams.get('token') ?? ''
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
const sign = (claims: JWTPayload, by: Uint8Array = key) =>
  new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(by)

const get = (path: string, token: string) =>
  fetch(`${server.url}/object/sign/${path}?token=${encodeURIComponent(token)}`)
const put = (path: string, token: string) =>
  fetch(`${server.url}/object/upload/sign/${path}?token=${encodeURIComponent(token)}`, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain', 'x-upsert': 'true' },
    body: 'broken in',
  })

async function everything() {
  const { rows } = await server.database.pool.query<object>(
    'select bucket_id, name, version from storage_objects order by 1, 2',
  )
  return rows
}

async function expectRefused(reply: Response) {
  expect([reply.status, await reply.text()]).toEqual([
    expect.toSatisfy((status) => [400, 403, 404].includes(Number(status))),
    expect.not.stringContaining(SECRET),
  ])
}

it('opens with what was signed for it, so that its opening would show', async () => {
  expect(await (await get(`pharmacies/${name}`, down)).text()).toBe(SECRET)
  const claims = decodeJwt(down)
  expect(await (await get(`pharmacies/${name}`, await sign(claims))).text()).toBe(SECRET)
})

describe('a link', () => {
  it('to download opens nothing else', async () => {
    const paths = [
      `pharmacies/${server.own}/b.txt`,
      `pharmacies/${server.own}/a.txt.bak`,
      `pharmacies/${server.own}/A.txt`,
      `pharmacies/${server.own}`,
      `pharmacies/${server.own}/`,
      `second/${name}`,
      'pharmacies/',
    ]
    for (const path of paths) await expectRefused(await get(path, down))
  })

  it('to upload writes nothing else, and shows nothing', async () => {
    const before = await everything()
    for (const path of [`pharmacies/${name}`, `second/${server.own}/new.txt`]) {
      await expectRefused(await put(path, up))
    }
    const there = await sign({ ...decodeJwt(up), url: `pharmacies/${name}` })
    await expectRefused(await get(`pharmacies/${name}`, there))
    await expectRefused(await get(`pharmacies/${server.own}/new.txt`, up))
    expect(await everything()).toEqual(before)
  })

  it('to download writes nothing', async () => {
    const before = await everything()
    await expectRefused(await put(`pharmacies/${name}`, down))
    const fresh = { ...decodeJwt(down), url: `pharmacies/${server.own}/new.txt` }
    await expectRefused(await put(`pharmacies/${server.own}/new.txt`, await sign(fresh)))
    expect(await everything()).toEqual(before)
  })

  it('is not changed, nor made with another key', async () => {
    const [head, body, signature] = down.split('.')
    const longer = encode({ ...decodeJwt(down), exp: 2 ** 33 })
    const claims = decodeJwt(down)
    const session = server.as.own.authorization?.slice('Bearer '.length) ?? ''
    const tokens = [
      `${head}.${longer}.${signature}`,
      `${encode({ alg: 'none' })}.${body}.`,
      '',
      `${down} `,
      session,
      await sign(claims, secrets.key('order images')),
    ]
    for (const token of tokens) await expectRefused(await get(`pharmacies/${name}`, token))
    await expectRefused(await fetch(`${server.url}/object/sign/pharmacies/${name}`))
    await expectRefused(
      await fetch(`${server.url}/object/sign/pharmacies/${name}?token=${down}&token=${down}`),
    )
  })

  it('is no session', async () => {
    for (const token of [down, up]) {
      const client = clientOf(server, { authorization: `Bearer ${token}` })
      expect((await client.from('pharmacies').download(name)).data).toBeNull()
      expect((await client.from('pharmacies').list(server.own)).data ?? []).toEqual([])
    }
  })

  it('does not reach further than its owner, whatever was signed', async () => {
    const claims = decodeJwt(down)
    for (const owner of [server.other, server.closed, '00000000-0000-4000-8000-000000000000']) {
      await expectRefused(await get(`pharmacies/${name}`, await sign({ ...claims, owner })))
      const upload = { ...decodeJwt(up), owner }
      await expectRefused(await put(`pharmacies/${server.own}/new.txt`, await sign(upload)))
    }
  })
})
