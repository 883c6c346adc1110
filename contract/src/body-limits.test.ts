import { expect, it } from 'vitest'
import { MAX_DESCRIPTION_LENGTH } from './assistant.ts'
import { changeOrdersStatus, MAX_BULK_CHANGES } from './bulk-changes.ts'
import type { Endpoint } from './endpoint.ts'
import { createOrder, newOrderLengths } from './new-orders.ts'
import { arrangeOffers, createOffer, MAX_OFFERS, MAX_PRODUCT_NAME_LENGTH } from './offers.ts'
import { addOrderNote, NOTE_LENGTH } from './order-details.ts'
import { changeOrderLine } from './order-pickup.ts'
import { MAX_RECORD_IDS, markOrdersSeen } from './orders.ts'

/** The server's limit of a JSON body, where an endpoint has no other. */
const GENERAL_LIMIT = 16 * 1024

/** Three bytes in UTF-8: no character takes more of them for each unit of its length. */
const text = (length: number) => '€'.repeat(length)
const recordId = `rec${'A'.repeat(40)}`
const id = '00000000-0000-4000-8000-000000000000'

const largest: [string, Endpoint, unknown][] = [
  [
    'an order',
    createOrder,
    {
      fields: {
        'ID Ordine': text(newOrderLengths.number),
        Cliente: text(newOrderLengths.customer),
        Indirizzo: text(newOrderLengths.address),
        Ordine: text(newOrderLengths.details),
      },
    },
  ],
  [
    'an offer',
    createOffer,
    {
      id,
      fields: {
        Nome_Prodotto: text(MAX_PRODUCT_NAME_LENGTH),
        Descrizione: text(MAX_DESCRIPTION_LENGTH),
        Categoria: text(100),
        Prezzo_Listino: 1_000,
        Prezzo_Offerta: 900,
        URL_Immagine: text(2_000),
      },
    },
  ],
  ['the order of the offers', arrangeOffers, { offerIds: Array(MAX_OFFERS).fill(id) }],
  ['a line', changeOrderLine, { place: 0, text: text(newOrderLengths.details), isThere: true }],
  ['a note', addOrderNote, { text: text(NOTE_LENGTH) }],
  ['seen orders', markOrdersSeen, { recordIds: Array(MAX_RECORD_IDS).fill(recordId) }],
  [
    'many changes',
    changeOrdersStatus,
    {
      changes: Array.from({ length: MAX_BULK_CHANGES }, () => ({
        recordId,
        Stato: 'Confermato',
        was: text(200),
      })),
    },
  ],
]

it.each(largest)('the limit lets the largest body through: %s', (_what, endpoint, body) => {
  expect(endpoint.body?.safeParse(body).error).toBeUndefined()
  const bytes = Buffer.byteLength(JSON.stringify(body))
  expect(bytes).toBeLessThanOrEqual(endpoint.maxBodyBytes ?? GENERAL_LIMIT)
})
