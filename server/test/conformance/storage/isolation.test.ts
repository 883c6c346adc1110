import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '../../pictures.ts'
import { type Client, clientOf, ok, refusal } from './clients.ts'
import { type StorageServer, storageServer } from './storage-server.ts'

/** Part of all the pharmacy's data: wherever it appears, data has leaked. */
const SECRET = 'Segretissimo'

type Files = ReturnType<Client['from']>
/** The arguments of a call: an object, another one, their folder, and a token for an upload by the caller. */
type Asked = { name: string; second: string; folder: string; token: string; own: string }
type Outcome = { data: unknown; error: unknown }

let server: StorageServer
let theirs: Asked
let picture: Buffer

beforeAll(async () => {
  server = await storageServer()
  picture = await drawn().png().toBuffer()
  const files = clientOf(server, server.as.own).from('pharmacies')
  const folder = `${server.own}/${SECRET}`
  theirs = { name: `${folder}/a.png`, second: `${folder}/b.png`, folder, token: '', own: '' }
  for (const name of [theirs.name, theirs.second]) {
    const metadata = { secret: SECRET }
    await ok(files.upload(name, picture, { contentType: 'image/png', metadata }))
  }
})

const fetched = async (url: string): Promise<Outcome> => {
  const reply = await fetch(url)
  const body = Buffer.from(await reply.arrayBuffer())
  const text = body.toString('latin1')
  return reply.ok ? { data: text, error: null } : { data: null, error: JSON.parse(text) as object }
}

const downloaded = async (call: PromiseLike<{ data: Blob | null; error: unknown }>) => {
  const { data, error } = await call
  return { data: data && (await data.text()), error }
}

/** All methods of the client that access objects, by name. */
const ways: Record<string, (files: Files, asked: Asked) => PromiseLike<Outcome>> = {
  upload: (files, { name }) => files.upload(name, 'broken in', { upsert: true }),
  'upload of what is new': (files, { folder }) =>
    files.upload(`${folder}/${randomUUID()}`, 'broken in'),
  update: (files, { name }) => files.update(name, 'broken in'),
  uploadToSignedUrl: (files, { name, token }) => files.uploadToSignedUrl(name, token, 'broken in'),
  createSignedUploadUrl: (files, { name }) => files.createSignedUploadUrl(name),
  'createSignedUploadUrl over it': (files, { name }) =>
    files.createSignedUploadUrl(name, { upsert: true }),
  move: (files, { name, second }) => files.move(name, `${second}.moved`),
  'move to oneself': (files, { name, own }) => files.move(name, `${own}/moved.png`),
  'move over it': (files, { name, own }) => files.move(`${own}/mine.txt`, name),
  'move into it': (files, { folder, own }) => files.move(`${own}/mine.txt`, `${folder}/mine.txt`),
  copy: (files, { name, second }) => files.copy(name, `${second}.copied`),
  'copy to oneself': (files, { name, own }) => files.copy(name, `${own}/copied.png`),
  'copy over it': (files, { name, own }) => files.copy(`${own}/mine.txt`, name),
  'copy into it': (files, { folder, own }) => files.copy(`${own}/mine.txt`, `${folder}/mine.txt`),
  createSignedUrl: (files, { name }) => files.createSignedUrl(name, 60),
  'createSignedUrl of a drawing': (files, { name }) =>
    files.createSignedUrl(name, 60, { transform: { width: 10 } }),
  createSignedUrls: (files, { name, second }) => files.createSignedUrls([name, second], 60),
  download: (files, { name }) => downloaded(files.download(name)),
  'download of a drawing': (files, { name }) =>
    downloaded(files.download(name, { transform: { width: 10 } })),
  info: (files, { name }) => files.info(name),
  exists: (files, { name }) => files.exists(name),
  getPublicUrl: (files, { name }) => fetched(files.getPublicUrl(name).data.publicUrl),
  'getPublicUrl of a drawing': (files, { name }) =>
    fetched(files.getPublicUrl(name, { transform: { width: 10 } }).data.publicUrl),
  remove: (files, { name, second }) => files.remove([name, second]),
  list: (files, { folder }) => files.list(folder),
  'list of the folder above': (files, { folder }) => files.list(folder.split('/')[0]),
  'list of everything': (files) => files.list('', { limit: 1000 }),
  'list by a beginning': (files, { folder }) => files.list('', { search: folder.slice(0, 8) }),
  listV2: (files, { folder }) => files.listV2({ prefix: `${folder}/` }),
  'listV2 of everything': (files) => files.listV2({ limit: 1000 }),
  'listV2 of folders': (files) => files.listV2({ with_delimiter: true }),
  'listV2 by a beginning': (files, { folder }) => files.listV2({ prefix: folder.slice(0, 20) }),
  purgeCache: (files, { name }) => files.purgeCache(name),
}

/** Methods that do not call the server, or only through others. */
const INNER = [
  'constructor',
  'uploadOrUpdate',
  'encodeMetadata',
  'toBase64',
  '_getFinalPath',
  '_removeEmptyFolders',
  'applyTransformOptsToQuery',
  'transformOptsToQueryString',
]

/** The outcome of a call, with the name replaced, so that existing and missing objects can be compared. */
async function told(call: PromiseLike<Outcome>, asked: Asked): Promise<string> {
  const { data, error } = await call
  const known = error ? await refusal(Promise.resolve({ error })) : null
  const text = JSON.stringify({ data, known })
  return [asked.name, asked.second, asked.folder, asked.folder.split('/')[0] ?? '']
    .reduce((rest, part) => rest.replaceAll(part, '…'), text)
    .replaceAll(/"eyJ[\w.-]+"|token=[\w.-]+/g, 'token')
}

/** All stored data, except for access times. */
async function everything() {
  const { rows } = await server.database.pool.query<object>(
    `select to_jsonb(object) - 'last_accessed_at' as row from storage_objects object
     where folder = $1 order by name`,
    [server.own],
  )
  expect(rows.length).toBe(2)
  return rows
}

describe('what a pharmacy has', () => {
  it('is sought in every way that the client has', () => {
    const files = clientOf(server).from('pharmacies')
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(files)).filter(
      (name) => !INNER.includes(name),
    )
    expect(methods.length).toBeGreaterThanOrEqual(14)
    const sought = Object.keys(ways).map((way) => way.split(' ')[0])
    expect(methods.filter((name) => !sought.includes(name))).toEqual([])
  })

  describe.each(['other', 'closed', 'stranger', 'anonymous'] as const)(
    'is not there for %s',
    (who) => {
      let files: Files
      let asked: Asked
      let missing: Asked

      beforeAll(async () => {
        files = clientOf(server, server.as[who]).from('pharmacies')
        const own = who === 'other' ? server.other : who === 'closed' ? server.closed : randomUUID()
        let token = 'none'
        if (who === 'other') {
          await ok(files.upload(`${own}/mine.txt`, 'mine', { upsert: true }))
          token = (await ok(files.createSignedUploadUrl(`${own}/${randomUUID()}`))).token
        }
        asked = { ...theirs, token, own }
        const folder = `${randomUUID()}/${SECRET}`
        missing = { ...asked, name: `${folder}/a.png`, second: `${folder}/b.png`, folder }
      })

      it.each(Object.entries(ways))('by %s', async (_way, reach) => {
        const before = await everything()
        const outcome = await told(reach(files, asked), asked)
        expect(outcome).toBe(await told(reach(files, missing), missing))
        expect(outcome).not.toContain(SECRET)
        expect(outcome).not.toContain('PNG')
        expect(await everything()).toEqual(before)
      })
    },
  )

  /** These methods need no existing object. */
  const needless = ['uploadToSignedUrl', 'createSignedUploadUrl', 'getPublicUrl']

  it.each(
    Object.entries(ways).filter(
      ([way]) => !needless.includes(way.split(' ')[0] ?? '') && !way.includes(' '),
    ),
  )('is there for its owner by %s, so that its being there would show', async (_way, reach) => {
    const files = clientOf(server, server.as.admin).from('pharmacies')
    const folder = `${randomUUID()}/${SECRET}`
    const asked = { ...theirs, folder, name: `${folder}/a.png`, second: `${folder}/b.png` }
    const missing = { ...asked, name: `${folder}x/a.png`, second: `${folder}x/b.png` }
    await ok(files.upload(asked.name, picture, { contentType: 'image/png' }))
    const none = { ...missing, folder: `${folder}x` }
    const nothing = await told(reach(files, none), none)
    expect(await told(reach(files, asked), asked)).not.toBe(nothing)
  })
})
