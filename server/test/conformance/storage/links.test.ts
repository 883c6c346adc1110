import { beforeEach, describe, expect, it } from 'vitest'
import { testApp, testAuth } from '../../server.ts'
import { silentLog } from '../../silent-log.ts'
import { type Client, clientOf, ok, refusal } from './clients.ts'
import { close, storageServer } from './storage-server.ts'

let now = Date.now()
let made = 0

const server = await storageServer({ clock: { now: () => now } })
await ok(clientOf(server, server.as.admin).createBucket('second'))

beforeEach(() => {
  now = Date.now()
})

const codeOf = async (reply: Response) => ({
  status: reply.status,
  code: ((await reply.json()) as { code: string }).code,
})

describe('signed links', () => {
  let files: ReturnType<Client['from']>
  let name: string

  beforeEach(() => {
    files = clientOf(server, server.as.own).from('pharmacies')
    name = `${server.own}/folder ${(made += 1)}/a, b & c+d=e.txt`
  })

  const read = async (of = name) => (await ok(files.download(of))).text()

  describe('to download', () => {
    const link = async (
      ...options: [seconds?: number, options?: { download: string | boolean }]
    ) => {
      await ok(files.upload(name, 'the text', { upsert: true }))
      return (await ok(files.createSignedUrl(name, options[0] ?? 60, options[1]))).signedUrl
    }

    it('open for everybody, until they end', async () => {
      const url = await link(60)
      const reply = await fetch(url)
      expect([reply.status, await reply.text()]).toEqual([200, 'the text'])
      expect(reply.headers.get('content-disposition') ?? '').not.toMatch(/^attachment/)
      const expires = Date.parse(reply.headers.get('expires') ?? '')
      expect(Math.abs(expires - now - 60_000)).toBeLessThan(2_000)
      const head = await fetch(url, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-length')]).toEqual([200, '8'])
      now += 61_000
      expect(await codeOf(await fetch(url))).toEqual({ status: 400, code: 'ExpiredToken' })
    })

    it('save the file under its name, or under another', async () => {
      const saved = await fetch(await link(60, { download: true }))
      expect(saved.headers.get('content-disposition')).toMatch(/^attachment/)
      const named = await fetch(await link(60, { download: 'conti.txt' }))
      expect(named.headers.get('content-disposition')).toMatch(/^attachment;.*conti\.txt/)
    })

    it('are made for many at once, and for none that is not there', async () => {
      await link()
      const theirs = `${server.other}/theirs.txt`
      const none = `${server.own}/none.txt`
      const others = clientOf(server, server.as.other).from('pharmacies')
      await ok(others.upload(theirs, 'secret', { upsert: true }))
      const [first, second, third] = await ok(files.createSignedUrls([name, none, theirs], 60))
      expect(first).toMatchObject({ error: null, path: name })
      expect(await (await fetch(first?.signedUrl ?? '')).text()).toBe('the text')
      const error = 'Either the object does not exist or you do not have access to it'
      expect(second).toMatchObject({ error, path: none, signedUrl: null })
      expect(third).toMatchObject({ error, path: theirs, signedUrl: null })
    })

    it('lead to names with a question mark', async () => {
      const odd = `${server.own}/${(made += 1)}/who? & why?.txt`
      const encoded = odd.replaceAll('?', '%3F')
      await ok(files.upload(encoded, 'the text'))
      const { signedUrl } = await ok(files.createSignedUrl(encoded, 60, { download: true }))
      expect(await (await fetch(signedUrl)).text()).toBe('the text')
      const [many] = await ok(files.createSignedUrls([odd], 60))
      expect(await (await fetch(many?.signedUrl ?? '')).text()).toBe('the text')
    })

    it('are made for what is there, and for seven days at most', async () => {
      await link(7 * 24 * 3600)
      const none = files.createSignedUrl(`${server.own}/none.txt`, 60)
      expect(await refusal(none)).toEqual({ status: 404, message: 'Object not found' })
      for (const seconds of [0, -1, 1.5, 7 * 24 * 3600 + 1]) {
        expect((await refusal(files.createSignedUrl(name, seconds))).status).toBe(400)
        expect((await refusal(files.createSignedUrls([name], seconds))).status).toBe(400)
      }
      const many = Array.from({ length: 1_001 }, (_, n) => `${server.own}/${n}`)
      expect((await refusal(files.createSignedUrls(many, 60))).status).toBe(400)
    })
  })

  describe('to upload', () => {
    it('take one file in their place, from everybody', async () => {
      const { signedUrl, token, path } = await ok(files.createSignedUploadUrl(name))
      expect(path).toBe(name)
      expect(new URL(signedUrl).searchParams.get('token')).toBe(token)
      const anonymous = clientOf(server).from('pharmacies')
      const options = { contentType: 'text/plain', cacheControl: '60' }
      expect(await ok(anonymous.uploadToSignedUrl(name, token, 'sent', options))).toEqual({
        path: name,
        fullPath: `pharmacies/${name}`,
      })
      expect(await read()).toBe('sent')
      for (const upsert of [{}, { upsert: true }]) {
        const again = anonymous.uploadToSignedUrl(name, token, 'again', { ...options, ...upsert })
        expect(await refusal(again)).toEqual({
          status: 409,
          message: 'The resource already exists',
        })
      }
      expect(await read()).toBe('sent')
    })

    it('change what is there if they were made to', async () => {
      await ok(files.upload(name, 'the text'))
      expect((await refusal(files.createSignedUploadUrl(name))).status).toBe(409)
      const { token } = await ok(files.createSignedUploadUrl(name, { upsert: true }))
      const anonymous = clientOf(server).from('pharmacies')
      await ok(anonymous.uploadToSignedUrl(name, token, 'sent'))
      await ok(anonymous.uploadToSignedUrl(name, token, 'again', { upsert: false }))
      expect(await read()).toBe('again')
    })

    it('take none after two hours', async () => {
      const { token } = await ok(files.createSignedUploadUrl(name))
      now += 2 * 3600_000 + 1_000
      const anonymous = clientOf(server).from('pharmacies')
      expect((await refusal(anonymous.uploadToSignedUrl(name, token, 'sent'))).status).toBe(400)
      expect(await files.exists(name)).toMatchObject({ data: false })
    })
  })

  it('are made for the owner of the folder alone', async () => {
    await ok(files.upload(name, 'the text'))
    for (const who of ['other', 'closed', 'stranger', 'anonymous'] as const) {
      const theirs = clientOf(server, server.as[who]).from('pharmacies')
      const down = await refusal(theirs.createSignedUrl(name, 60))
      const none = await refusal(theirs.createSignedUrl(`${server.own}/none.txt`, 60))
      expect(down).toEqual(none)
      expect(down.status).toBe(404)
      const up = await refusal(theirs.createSignedUploadUrl(`${server.own}/new.txt`))
      expect(up).toEqual(await refusal(theirs.createSignedUploadUrl(name)))
      expect(up.status).toBe(403)
    }
  })

  it('open and write nothing else, and are no session', async () => {
    const [other, fresh] = [`${name}.bak`, `${name}.new`]
    for (const each of [name, other]) await ok(files.upload(each, 'the text'))
    const { signedUrl: down } = await ok(files.createSignedUrl(name, 60))
    const { signedUrl: up, token } = await ok(files.createSignedUploadUrl(fresh))
    const moved = (url: string, from: string, to: string) => {
      const next = new URL(url)
      next.pathname = next.pathname.replace(encodeURI(from), encodeURI(to))
      expect(next.href).not.toBe(url)
      return next
    }
    const put = (url: URL) =>
      fetch(url, { method: 'PUT', body: 'sent', headers: { 'x-upsert': 'true' } })
    const uploading = new URL(down.replace('/object/sign/', '/object/upload/sign/'))
    for (const reply of [
      await fetch(moved(down, name, other)),
      await fetch(up.replace('/object/upload/sign/', '/object/sign/')),
      await fetch(`${down}&token=${token}`),
      await put(moved(up, fresh, name)),
      await put(uploading),
    ]) {
      expect([400, 403, 404]).toContain(reply.status)
    }
    expect([await read(), await files.exists(fresh)]).toMatchObject(['the text', { data: false }])
    const holder = clientOf(server, { authorization: `Bearer ${token}` }).from('pharmacies')
    expect((await holder.download(name)).data).toBeNull()
  })

  it('end with the pharmacy that made them', async () => {
    const id = await server.addPharmacy({
      email: 'ends@example.it',
      code: 'ENDS',
    })
    const session = await server.signIn('ends@example.it')
    const theirs = clientOf(server, session).from('pharmacies')
    await ok(theirs.upload(`${id}/a.txt`, 'the text'))
    const down = (await ok(theirs.createSignedUrl(`${id}/a.txt`, 600))).signedUrl
    const { signedUrl } = await ok(theirs.createSignedUploadUrl(`${id}/b.txt`))
    expect((await fetch(down)).status).toBe(200)
    await close(server, id)
    const dead = await fetch(down)
    expect([dead.status, await dead.json()]).toMatchObject([403, { code: 'AccessDenied' }])
    const sent = await fetch(signedUrl, { method: 'PUT', body: 'sent' })
    expect(sent.status).toBe(403)
    const admin = clientOf(server, server.as.admin).from('pharmacies')
    expect(await admin.exists(`${id}/b.txt`)).toMatchObject({ data: false })
  })

  it('of an administrator end when they are none any more', async () => {
    const email = 'former-admin@example.it'
    await server.addAdministrator({ email })
    const admin = clientOf(server, await server.signIn(email)).from('pharmacies')
    await ok(files.upload(name, 'the text'))
    const { signedUrl } = await ok(admin.createSignedUrl(name, 600))
    expect((await fetch(signedUrl)).status).toBe(200)
    await server.database.pool.query(
      'delete from admin_users where user_id = (select id from auth_users where email = $1)',
      [email],
    )
    expect((await fetch(signedUrl)).status).toBe(403)
  })

  it('of another server work as long as its key does', async () => {
    await ok(files.upload(name, 'the text'))
    const keyed = clientOf(server, server.as.adminKey).from('pharmacies')
    const { signedUrl } = await ok(keyed.createSignedUrl(name, 600))
    expect(await (await fetch(signedUrl)).text()).toBe('the text')

    const auth = testAuth
    const { wired, app } = await testApp(server.database, { auth }, silentLog)
    const dead = await app.inject(signedUrl.slice(server.origin.length))
    expect([dead.statusCode, dead.json()]).toMatchObject([403, { code: 'AccessDenied' }])
    await app.close()
    await wired.close()
  })
})
