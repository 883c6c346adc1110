import {
  arrangeOffers,
  changeOffer,
  createOffer,
  listOffers,
  type OfferFields,
  OfferRecord,
  PLACEHOLDER_IMAGE,
  removeOffer,
} from '@bancone/contract/offers'
import { changePrescriptionFields, prescriptionTerms } from '@bancone/contract/prescription-fields'
import { type App, accounts } from './app.ts'

/** The offers of a pharmacy, as a program changes them. */
export async function offersOf(app: App, email: string = accounts.sanMarco) {
  const authorization = `Bearer ${await app.token(email)}`

  async function send(method: string, path: string, body?: object): Promise<unknown> {
    const reply = await fetch(app.url + path, {
      method,
      headers: { authorization, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return reply.json()
  }
  const at = (path: string, offerId: string) => path.replace(':offerId', offerId)

  return {
    async list() {
      return listOffers.response.parse(await send('GET', listOffers.path))
    },
    async create(name: string, fields: Partial<OfferFields> = {}) {
      return OfferRecord.parse(
        await send('POST', createOffer.path, {
          fields: {
            Nome_Prodotto: name,
            Categoria: 'Cosmetici',
            Prezzo_Listino: 1_000,
            Prezzo_Offerta: 790,
            Prezzo_Precedente: 1_000,
            URL_Immagine: PLACEHOLDER_IMAGE,
            ...fields,
          },
        }),
      )
    },
    async change(offerId: string, fields: Partial<OfferFields>) {
      return OfferRecord.parse(await send('PATCH', at(changeOffer.path, offerId), { fields }))
    },
    remove: (offerId: string) => send('DELETE', at(removeOffer.path, offerId)),
    arrange: (offerIds: string[]) => send('PUT', arrangeOffers.path, { offerIds }),
    showPrescriptionFields: () =>
      send('PUT', changePrescriptionFields.path, { termsVersion: prescriptionTerms.version }),
  }
}

/** Without any offer that was there, and with the usual order. */
export async function clearOffers(app: App, email?: string) {
  const api = await offersOf(app, email)
  for (const { id } of (await api.list()).offers) await api.remove(id)
  return api
}
