import { randomUUID } from 'node:crypto'
import { ErrorBody } from '@bancone/contract/errors'
import { findProductImage } from '@bancone/contract/product-images'
import { type CloudinarySandbox, startCloudinary } from '@bancone/sandbox/cloudinary'
import { type ProductImagesSandbox, startProductImages } from '@bancone/sandbox/product-images'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { type ImagesServer, imagesServer } from '../../../test/images-server.ts'
import { anImage } from '../../../test/pictures.ts'
import { otherApp } from '../../../test/server.ts'

type Headers = { authorization: string }

let provider: ProductImagesSandbox
let server: ImagesServer
/** Another process over the same database, which keeps its pictures in a service. */
let there: Awaited<ReturnType<typeof otherApp>>
let cloudinary: CloudinarySandbox
let headers: Headers
let now = Date.now()
let codes = 900_000_000
let small: Buffer

beforeAll(async () => {
  small = await anImage()
  provider = await startProductImages()
  atEnd(() => provider.close())
  server = await imagesServer({
    products: { productImageUrl: provider.template },
    clock: { now: () => now },
  })
  cloudinary = await startCloudinary()
  atEnd(() => cloudinary.close())
  const { url: apiUrl, cloud, key, secret } = cloudinary
  there = await otherApp(server.database, {
    files: { folder: server.folder },
    products: { productImageUrl: provider.template },
    cloudinary: { cloud, key, secret, uploadPreset: undefined, folder: 'bancone', apiUrl },
  })
})

beforeEach(async () => {
  provider.fail({ mode: 'ok' })
  ;({ headers } = await server.pharmacy())
})

/** A code that was not looked up before. */
function newCode(): string {
  codes += 1
  return String(codes)
}

function newProduct(): string {
  const code = newCode()
  provider.add(code, small)
  return code
}

function ask(minsan: string, as = headers, { app }: Pick<ImagesServer, 'app'> = server) {
  return app.inject({
    method: 'POST',
    url: '/api/product-images',
    headers: as,
    payload: { minsan },
  })
}

async function find(minsan: string, as = headers) {
  const reply = await ask(minsan, as)
  expect(reply.statusCode, reply.body).toBe(200)
  return findProductImage.response.parse(reply.json())
}

async function failure(minsan: string, as = headers) {
  const reply = await ask(minsan, as)
  return [reply.statusCode, ErrorBody.parse(reply.json()).code]
}

async function picture(minsan: string, as = headers) {
  const found = await find(minsan, as)
  if (found.source === 'fallback') throw new Error('a fallback')
  return found.image
}

const asked = (minsan: string) => provider.requests.filter((request) => request.endsWith(minsan))

const archived = (minsan: string) =>
  server.database.pool
    .query<{ public_id: string }>('select public_id from product_image_archive where minsan = $1', [
      minsan,
    ])
    .then(({ rows }) => rows.map((row) => row.public_id))

describe('the picture of a product', () => {
  it('comes from the provider once, and then from the archive, for all pharmacies', async () => {
    const code = newProduct()
    const first = await find(code)
    expect(first).toMatchObject({
      source: 'download',
      image: { width: 60, height: 40, format: 'webp' },
    })
    const other = (await server.pharmacy()).headers
    expect(await find(code, other)).toEqual({ ...first, source: 'cache' })
    expect(asked(code)).toEqual([`GET ${code}`])
  })

  it('is served like any that we keep, counts for no pharmacy, and none removes it', async () => {
    const { url, publicId } = await picture(newProduct())
    expect(publicId).toMatch(/^archive_\d+$/)
    const shown = await server.app.inject({ url: `${url}/thumbnail` })
    expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
    const { rows } = await server.database.pool.query(
      'select pharmacy_id, source from images where public_id = $1',
      [publicId],
    )
    expect(rows).toEqual([{ pharmacy_id: null, source: 'product' }])
    const removal = { method: 'DELETE', url: `/api/images/${publicId}`, headers } as const
    expect((await server.app.inject(removal)).statusCode).toBe(404)
    expect(await server.images.removeUnused(publicId)).toBe(false)
  })

  it('is found by its code however it is written', async () => {
    const found = await picture('A012745093')
    for (const written of ['12745093', '0D4YD5', '012 745 093']) {
      expect(await find(written)).toEqual({ source: 'cache', image: found })
    }
  })

  it('is downloaded once by all who ask for it at once', async () => {
    const code = newProduct()
    // All have asked before the first is done.
    provider.fail({ mode: 'slow', delayMs: 300 })
    const found = await Promise.all(Array.from({ length: 5 }, () => picture(code)))
    expect(new Set(found.map(({ publicId }) => publicId)).size).toBe(1)
    expect(asked(code)).toEqual([`GET ${code}`])
  })

  it('is one in the archive, whichever process was first', async () => {
    const code = newProduct()
    // Both have looked into the archive before either is done.
    provider.fail({ mode: 'slow', delayMs: 300 })
    const replies = await Promise.all([ask(code), ask(code, headers, there)])
    const found = replies.map((reply) => findProductImage.response.parse(reply.json()))
    const ids = found.map((each) => each.source !== 'fallback' && each.image.publicId)
    expect(asked(code)).toHaveLength(2)
    expect(ids).toEqual([ids[0], ids[0]])
    expect(found.map(({ source }) => source).toSorted()).toEqual(['cache', 'download'])
    expect(await archived(code)).toEqual([ids[0]])
  })
})

describe('a product without a picture', () => {
  it('is told, and the provider is asked again after an hour', async () => {
    const code = newCode()
    for (let times = 0; times < 3; times += 1) {
      expect(await failure(code)).toEqual([404, 'product_images.not_found'])
    }
    expect(asked(code)).toEqual([`GET ${code}`])
    provider.add(code)
    now += 59 * 60_000
    expect(await failure(code)).toEqual([404, 'product_images.not_found'])
    now += 2 * 60_000
    expect((await find(code)).source).toBe('download')
  })

  it('is one whose picture is a page, which is remembered too', async () => {
    const code = newProduct()
    provider.fail({ mode: 'page', everything: true })
    expect(await failure(code)).toEqual([404, 'product_images.not_found'])
    provider.fail({ mode: 'ok' })
    expect(await failure(code)).toEqual([404, 'product_images.not_found'])
    expect(asked(code)).toEqual([`GET ${code}`, `HEAD ${code}`])
  })
})

describe('a picture that cannot be kept', () => {
  it.each([
    ['cannot be downloaded', { mode: 'status', status: 500 }],
    ['is too large', { mode: 'oversized' }],
    ['is at an address that we do not go to', { mode: 'redirect' }],
  ] as const)('because it %s is shown from the provider', async (_why, how) => {
    const code = newProduct()
    provider.fail(how)
    const url = provider.template.replace('{minsan}', code)
    expect(await find(code)).toEqual({ source: 'fallback', url })
    expect(asked(code)).toEqual([`GET ${code}`, `HEAD ${code}`])
    provider.fail({ mode: 'ok' })
    expect((await find(code)).source).toBe('download')
  })

  it('because it is of no kind that we draw is shown from the provider', async () => {
    const code = newCode()
    provider.add(code, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect((await find(code)).source).toBe('fallback')
    expect(await archived(code)).toEqual([])
  })

  it('because what keeps pictures fails is shown from the provider', async () => {
    const code = newProduct()
    const uploads = cloudinary.uploads.length
    cloudinary.fail({ mode: 'refuse', status: 500 })
    const url = provider.template.replace('{minsan}', code)
    expect((await ask(code, headers, there)).json()).toEqual({ source: 'fallback', url })
    cloudinary.fail({ mode: 'ok' })
    const kept = findProductImage.response.parse((await ask(code, headers, there)).json())
    expect(kept).toMatchObject({ source: 'download' })
    expect(cloudinary.uploads).toHaveLength(uploads + 1)
    expect(await find(code)).toEqual({ ...kept, source: 'cache' })
  })

  it('because the provider is not there is told, and may be there the next time', async () => {
    const code = newProduct()
    provider.fail({ mode: 'hang-up', everything: true })
    expect(await failure(code)).toEqual([502, 'product_images.failed'])
    provider.fail({ mode: 'ok' })
    expect((await find(code)).source).toBe('download')
  })
})

describe('without a provider', () => {
  it('the archive is all there is', async () => {
    const code = newProduct()
    const kept = await picture(code)
    const bare = await otherApp(server.database)
    const reply = await ask(code, headers, bare)
    expect(reply.json()).toEqual({ source: 'cache', image: kept })
    const missing = await ask(newProduct(), headers, bare)
    expect([missing.statusCode, ErrorBody.parse(missing.json()).code]).toEqual([
      409,
      'product_images.not_configured',
    ])
  })
})

describe('a pharmacy', () => {
  it('has four looked for at once, which are no matter to others', async () => {
    provider.fail({ mode: 'slow', delayMs: 600 })
    const other = (await server.pharmacy()).headers
    const replies = await Promise.all([
      ...Array.from({ length: 6 }, () => ask(newProduct())),
      ask(newProduct(), other),
    ])
    const statuses = replies.map(({ statusCode }) => statusCode)
    expect(statuses.slice(0, 6).toSorted((a, b) => a - b)).toEqual([200, 200, 200, 200, 429, 429])
    expect(statuses[6]).toBe(200)
    const refused = replies.find(({ statusCode }) => statusCode === 429)
    expect(refused?.json()).toMatchObject({ code: 'images.too_many' })
    expect(refused?.headers['retry-after']).toBe('5')
    provider.fail({ mode: 'ok' })
    expect((await find(newProduct())).source).toBe('download')
  })

  it('looks for thirty in ten minutes, besides those in the archive', async () => {
    const known = newProduct()
    await find(known)
    const missing = newCode()
    await failure(missing)
    for (let times = 0; times < 28; times += 1) await failure(newCode())
    const reply = await ask(newCode())
    expect([reply.statusCode, ErrorBody.parse(reply.json()).code]).toEqual([429, 'images.too_many'])
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(500)
    // Neither costs anything.
    expect((await find(known)).source).toBe('cache')
    expect(await failure(missing)).toEqual([404, 'product_images.not_found'])
    const other = (await server.pharmacy()).headers
    expect(await failure(newCode(), other)).toEqual([404, 'product_images.not_found'])
  })
})

describe('a picture that an administrator removes from the archive', () => {
  it('is asked of the provider again, and the removal is in the audit log', async () => {
    const email = `${randomUUID()}@example.it`
    await server.addAdministrator({ email })
    const administrator = await server.signIn(email)
    const remove = (minsan: string, as: Headers) =>
      server.app.inject({
        method: 'DELETE',
        url: `/api/admin/product-images/${minsan}`,
        headers: as,
      })
    const code = newProduct()
    const { publicId } = await picture(code)
    expect((await remove(code, headers)).statusCode).toBe(403)
    expect(await archived(code)).toEqual([publicId])
    expect((await remove(code, administrator)).statusCode).toBe(200)
    expect(await archived(code)).toEqual([])
    expect((await remove(code, administrator)).statusCode).toBe(404)
    expect((await find(code)).source).toBe('download')
    const { rows } = await server.database.pool.query(
      "select action, changes from audit_events where target = $1 and outcome = 'done'",
      [`product-image:${code}`],
    )
    const changes = { public_id: { before: publicId, after: null } }
    expect(rows).toEqual([{ action: 'product_image_removed', changes }])
  })
})
