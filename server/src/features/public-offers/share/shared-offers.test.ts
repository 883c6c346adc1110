import { OfferRecord } from '@bancone/contract/offers'
import { PublicOffers } from '@bancone/contract/public-offers'
import sharp from 'sharp'
import { beforeAll, describe, expect, it } from 'vitest'
import { type ImagesServer, imagesServer, sent } from '../../../../test/images-server.ts'
import { drawn } from '../../../../test/pictures.ts'
import { filesIn } from '../../../../test/temporary-folder.ts'
import { shareImagePath } from './share-images.service.ts'

let server: ImagesServer
let offer: OfferRecord

beforeAll(async () => {
  server = await imagesServer()
  await server.addPharmacy({ email: 'f@example.it', code: 'SHARE-1', features: ['offers'] })
  const headers = await server.signIn('f@example.it')
  const image = await sent(server, headers, await drawn(400, 400).png().toBuffer())
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/offers',
    headers,
    payload: {
      fields: {
        Nome_Prodotto: 'Supradyn Ricarica',
        Categoria: 'Integratori',
        Prezzo_Listino: 1000,
        Prezzo_Offerta: 800,
        URL_Immagine: image.url,
        CloudinaryID: image.publicId,
      },
    },
  })
  offer = OfferRecord.parse(reply.json())
})

async function picture(of: string | null) {
  const reply = await server.app.inject('/api/public/offers/SHARE-1')
  const url = shareImagePath(PublicOffers.parse(reply.json()), of) ?? 'none'
  return server.app.inject(url)
}

describe('what is shared', () => {
  it('has a picture with the photograph of its product', async () => {
    const reply = await picture(offer.id)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toContain('immutable')
    expect(await sharp(reply.rawPayload).metadata()).toMatchObject({ width: 1200, height: 630 })
    const { dominant } = await sharp(reply.rawPayload)
      .extract({ left: 180, top: 215, width: 200, height: 200 })
      .toBuffer()
      .then(async (photo) => sharp(photo).stats())
    expect([dominant.r, dominant.g, dominant.b]).not.toEqual([248, 248, 248])
    expect(await filesIn(`${server.folder}/scratch`)).toEqual([])
  })

  it('has one of the pharmacy', async () => {
    const reply = await picture(null)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'image/jpeg'])
    expect(reply.rawPayload.equals((await picture(offer.id)).rawPayload)).toBe(false)
  })
})
