import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sent } from '../../../test/images-server.ts'
import {
  anOffer,
  codeOf,
  type OfferingPharmacy,
  type OffersServer,
  offersServer,
} from '../../../test/offers-server.ts'
import { drawn } from '../../../test/pictures.ts'

let server: OffersServer
let pharmacy: OfferingPharmacy

beforeAll(async () => {
  server = await offersServer()
})

beforeEach(async () => {
  pharmacy = await server.offering({ most: 1 })
})

const send = (id: string, fields: object = {}, as = pharmacy) =>
  as.ask('POST', '/api/offers', { id, fields: { ...anOffer, ...fields } })

/** Whether something shows the picture. */
async function isShown(publicId: string): Promise<boolean> {
  const { rowCount } = await server.database.pool.query(
    'select 1 from image_uses where public_id = $1',
    [publicId],
  )
  return rowCount === 1
}

describe('an offer that is sent again because the answer was lost', () => {
  it('is made once, as it was sent first, also where no other may be active', async () => {
    const id = randomUUID()
    const first = await send(id)
    const again = await send(id.toUpperCase(), { Nome_Prodotto: 'Altro' })
    expect([first.statusCode, again.statusCode]).toEqual([201, 201])
    expect(again.json()).toEqual(first.json())
    expect(again.json()).toMatchObject({ id })
    expect((await pharmacy.list()).offers).toEqual([first.json()])
  })

  it('is made once when it comes twice at the same time', async () => {
    const id = randomUUID()
    const replies = await Promise.all([send(id), send(id)])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([201, 201])
    expect((await pharmacy.list()).offers).toHaveLength(1)
  })

  it('is not found when it is of another pharmacy, and takes nothing from it', async () => {
    const other = await server.offering()
    const { publicId } = await sent(server, other.headers, await drawn(30, 20).jpeg().toBuffer())
    const id = randomUUID()
    const theirs = await send(id, { CloudinaryID: publicId }, other)
    const reply = await send(id)
    expect([reply.statusCode, codeOf(reply)]).toEqual([404, 'offers.not_found'])
    expect((await pharmacy.list()).offers).toEqual([])
    expect((await other.list()).offers).toEqual([theirs.json()])
    expect(await isShown(publicId)).toBe(true)
  })

  it('lets its picture go, however its id was written', async () => {
    const { publicId } = await sent(server, pharmacy.headers, await drawn(30, 20).jpeg().toBuffer())
    const id = randomUUID()
    await send(id.toUpperCase(), { CloudinaryID: publicId })
    expect(await isShown(publicId)).toBe(true)
    await pharmacy.ask('DELETE', `/api/offers/${id}`)
    expect(await isShown(publicId)).toBe(false)
  })
})
