import { randomUUID } from 'node:crypto'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { findProductImage } from '@bancone/contract/product-images'
import { PublicOffers } from '@bancone/contract/public-offers'
import { type ProductImagesSandbox, startProductImages } from '@bancone/sandbox/product-images'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { sent } from '../../../test/images-server.ts'
import { untilBlocked } from '../../../test/lock-waits.ts'
import {
  anOffer,
  codeOf,
  type OfferingPharmacy,
  type OffersServer,
  offersServer,
} from '../../../test/offers-server.ts'
import { drawn } from '../../../test/pictures.ts'

/** The job's name is what it is started by: features do not know each other. */
const CLEANUP = 'images.cleanup'

let server: OffersServer
let provider: ProductImagesSandbox
let pharmacy: OfferingPharmacy
let bytes: Buffer

beforeAll(async () => {
  provider = await startProductImages()
  atEnd(() => provider.close())
  server = await offersServer({ products: { productImageUrl: provider.template } })
  bytes = await drawn(30, 20).jpeg().toBuffer()
})

beforeEach(async () => {
  provider.fail({ mode: 'ok' })
  pharmacy = await server.offering()
})

const upload = (as = pharmacy) => sent(server, as.headers, bytes)
const shownAs = (publicId: string) => ({ CloudinaryID: publicId, URL_Immagine: '/whatever' })

/** What is left of those pictures when all have become old and the job has been there. */
async function left(...publicIds: string[]): Promise<string[]> {
  await server.database.pool.query(
    `update images set created_at = created_at - interval '2 days', released_at = released_at - interval '2 days'`,
  )
  await server.runTask(CLEANUP)
  const { rows } = await server.database.pool.query<{ public_id: string }>(
    'select public_id from images where public_id = any($1)',
    [publicIds],
  )
  const kept = new Set(rows.map((row) => row.public_id))
  return publicIds.filter((id) => kept.has(id))
}

async function find(minsan: string) {
  const reply = await pharmacy.ask('POST', '/api/product-images', { minsan })
  return findProductImage.response.parse(reply.json())
}

describe('the picture of an offer', () => {
  it('is there as long as the offer shows it', async () => {
    const { publicId, url, width, height } = await upload()
    const { id, fields } = await pharmacy.create(shownAs(publicId))
    expect(fields).toMatchObject({ CloudinaryID: publicId, URL_Immagine: url })
    expect(await left(publicId)).toEqual([publicId])
    const shown = await server.app.inject(`/api/public/offers/${pharmacy.code}`)
    expect(PublicOffers.parse(shown.json()).offers[0]?.imageSize).toEqual({ width, height })
    await pharmacy.change(id, { Nome_Prodotto: 'Altro nome' })
    await pharmacy.change(id, { ...shownAs(publicId), Stato_Offerta: 'Inattiva' })
    await pharmacy.change(id, { URL_Immagine: url })
    expect(await left(publicId)).toEqual([publicId])
    expect((await pharmacy.ask('DELETE', `/api/images/${publicId}`)).statusCode).toBe(409)
    await pharmacy.ask('DELETE', `/api/offers/${id}`)
    expect(await left(publicId)).toEqual([])
  })

  it('is let go for another one, and for none', async () => {
    const [first, second] = [await upload(), await upload()]
    const { id } = await pharmacy.create(shownAs(first.publicId))
    const { fields } = await pharmacy.change(id, shownAs(second.publicId))
    expect(fields.URL_Immagine).toBe(second.url)
    expect(await left(first.publicId, second.publicId)).toEqual([second.publicId])
    await pharmacy.change(id, { CloudinaryID: null, URL_Immagine: PLACEHOLDER_IMAGE })
    expect(await left(second.publicId)).toEqual([])
  })

  it('is not let go when the change is refused', async () => {
    const [first, second] = [await upload(), await upload()]
    const { id } = await pharmacy.create(shownAs(first.publicId))
    for (const fields of [
      { ...shownAs(second.publicId), Prezzo_Offerta: 9_000 },
      shownAs('nobody_1'),
      { CloudinaryID: null },
      { URL_Immagine: 'https://example.it/a.png' },
    ]) {
      const reply = await pharmacy.ask('PATCH', `/api/offers/${id}`, { fields })
      expect(reply.statusCode).toBe(422)
    }
    expect(await left(first.publicId, second.publicId)).toEqual([first.publicId])
  })

  it('may be changed while the offer is removed', async () => {
    const [first, second] = [await upload(), await upload()]
    const { id } = await pharmacy.create(shownAs(first.publicId))
    const { pool } = server.database
    const client = await pool.connect()
    await client.query('begin')
    await client.query('select from images where public_id = $1 for update', [first.publicId])
    const changing = pharmacy.change(id, shownAs(second.publicId))
    await untilBlocked(pool)
    const removing = pharmacy.ask('DELETE', `/api/offers/${id}`)
    await untilBlocked(pool, 2)
    await client.query('rollback')
    client.release()
    expect((await changing).fields.CloudinaryID).toBe(second.publicId)
    expect((await removing).statusCode).toBe(200)
    expect(await left(first.publicId, second.publicId)).toEqual([])
  })

  it('may be shown by two offers, and is there until both let it go', async () => {
    const { publicId } = await upload()
    // However the id is written.
    const one = randomUUID().toUpperCase()
    const fields = { ...anOffer, ...shownAs(publicId) }
    await pharmacy.ask('POST', '/api/offers', { id: one, fields })
    const two = await pharmacy.create(shownAs(publicId))
    await pharmacy.ask('DELETE', `/api/offers/${one.toLowerCase()}`)
    expect(await left(publicId)).toEqual([publicId])
    await pharmacy.ask('DELETE', `/api/offers/${two.id}`)
    expect(await left(publicId)).toEqual([])
  })

  it('stays with its offer when another pharmacy makes one with the same id', async () => {
    const other = await server.offering()
    const { publicId } = await upload(other)
    const theirs = await other.create(shownAs(publicId))
    const again = { id: theirs.id, fields: anOffer }
    const reply = await pharmacy.ask('POST', '/api/offers', again)
    expect([reply.statusCode, codeOf(reply)]).toEqual([404, 'offers.not_found'])
    expect((await pharmacy.list()).offers).toEqual([])
    expect((await other.list()).offers).toEqual([theirs])
    expect(await left(publicId)).toEqual([publicId])
  })

  it('is none of another pharmacy', async () => {
    const { publicId, url } = await upload(await server.offering())
    for (const fields of [shownAs(publicId), { URL_Immagine: url }]) {
      const reply = await pharmacy.ask('POST', '/api/offers', { fields: { ...anOffer, ...fields } })
      expect(codeOf(reply)).toBe('offers.image_missing')
    }
  })

  it('goes with its pharmacy', async () => {
    const { publicId } = await upload()
    await pharmacy.create(shownAs(publicId))
    await server.database.pool.query('delete from auth_users where id = $1', [pharmacy.id])
    expect(await left(publicId)).toEqual([])
    const { rows } = await server.database.pool.query(
      'select from image_uses where public_id = $1',
      [publicId],
    )
    expect(rows).toEqual([])
  })

  it('may be one of the archive', async () => {
    const found = await find('012745093')
    if (found.source === 'fallback') throw new Error('it was not kept')
    const { fields } = await pharmacy.create(shownAs(found.image.publicId))
    expect(fields.URL_Immagine).toBe(found.image.url)
  })

  it('may be at the address of the provider, and at no other', async () => {
    provider.fail({ mode: 'page' })
    const found = await find('973344518')
    if (found.source !== 'fallback') throw new Error('it was kept')
    const { id, fields } = await pharmacy.create({ URL_Immagine: found.url })
    expect([fields.URL_Immagine, fields.CloudinaryID]).toEqual([found.url, null])
    await pharmacy.change(id, { URL_Immagine: found.url, Nome_Prodotto: 'Altro nome' })
    for (const url of [
      found.url.replace('/images/', '/other/'),
      `${found.url}?x=1`,
      found.url.replace('973344518', '97334451'),
      new URL(found.url).origin,
    ]) {
      const reply = await pharmacy.ask('PATCH', `/api/offers/${id}`, {
        fields: { URL_Immagine: url },
      })
      expect(codeOf(reply)).toBe('offers.image_missing')
    }
  })

  it('stays at the address of a provider that is there no more', async () => {
    const { id } = await pharmacy.create()
    const old = 'https://old-provider.example/012745093.png'
    await server.database.pool.query('update product_offers set image_url = $2 where id = $1', [
      id,
      old,
    ])
    const { fields } = await pharmacy.change(id, { URL_Immagine: old, Prezzo_Offerta: 700 })
    expect(fields).toMatchObject({ URL_Immagine: old, Prezzo_Offerta: 700 })
  })
})
