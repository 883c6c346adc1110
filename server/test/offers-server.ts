import { ErrorBody } from '@bancone/contract/errors'
import { listOffers, OfferRecord, PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { imagesServer } from './images-server.ts'

export type Headers = { authorization: string }

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export type OffersServer = Awaited<ReturnType<typeof offersServer>>
export type OfferingPharmacy = Awaited<ReturnType<OffersServer['offering']>>

/** The fields of a valid offer. */
export const anOffer = {
  Nome_Prodotto: 'Crema mani',
  Categoria: 'Cosmetici',
  Prezzo_Listino: 1_000,
  Prezzo_Offerta: 800,
  URL_Immagine: PLACEHOLDER_IMAGE,
}

/** The real application, with pharmacies that have offers. */
export async function offersServer(settings: Parameters<typeof imagesServer>[0] = {}) {
  const server = await imagesServer(settings)
  let made = 0
  return {
    ...server,
    /** A signed-in pharmacy with the offers feature. */
    async offering({ maxOffers }: { maxOffers?: number } = {}) {
      made += 1
      const email = `offers-${made}@example.it`
      const code = `OFFERS-${made}`
      const id = await server.addPharmacy({ email, code, features: ['offers'] })
      if (maxOffers !== undefined) {
        await server.database.pool.query('update pharmacies set max_offers = $2 where id = $1', [
          id,
          maxOffers,
        ])
      }
      const headers = await server.signIn(email)
      const ask = (method: Method, url: string, payload?: object) =>
        server.app.inject({ method, url, headers, ...(payload && { payload }) })
      return {
        id,
        code,
        headers,
        ask,
        /** Fields that are not given come from a valid offer. */
        async create(fields: object = {}) {
          const reply = await ask('POST', '/api/offers', { fields: { ...anOffer, ...fields } })
          if (reply.statusCode !== 201) throw new Error(reply.body)
          return OfferRecord.parse(reply.json())
        },
        async change(offerId: string, fields: object, seen?: string) {
          const reply = await ask('PATCH', `/api/offers/${offerId}`, { fields, seen })
          if (reply.statusCode !== 200) throw new Error(reply.body)
          return OfferRecord.parse(reply.json())
        },
        async list() {
          return listOffers.response.parse((await ask('GET', '/api/offers')).json())
        },
      }
    },
  }
}

/** The code of an error response. */
export function codeOf(reply: { json(): unknown }): string {
  return ErrorBody.parse(reply.json()).code
}
