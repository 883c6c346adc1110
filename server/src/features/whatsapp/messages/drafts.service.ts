import type { NewOrderFields } from '@bancone/contract/new-orders'
import type { OrderRecord } from '@bancone/contract/orders'
import type { WhatsAppDraft } from '@bancone/contract/whatsapp-drafts'
import type { PharmacySession } from '../../../http/serve.ts'
import { rethrowErased } from '../contacts.store.ts'
import type { Sealing } from '../sealed.ts'
import type { InboundStore } from './inbound.store.ts'
import type { OrderCustomersStore } from './order-customers.store.ts'

/** Creates an order, once for each key. */
export type CreateOrder = (
  caller: PharmacySession & { keyId: null },
  idempotencyKey: string,
  fields: NewOrderFields,
) => Promise<OrderRecord>

type Dependencies = {
  inbound: Pick<InboundStore, 'drafts' | 'draft' | 'confirm' | 'dismiss'>
  customers: Pick<OrderCustomersStore, 'link'>
  createOrder: CreateOrder
  sealing: Sealing
}

export type Drafts = ReturnType<typeof createDrafts>

/**
 * The orders that customers have written from the public page, and other messages of which the staff make one.
 * They are orders once they are confirmed.
 */
export function createDrafts({ inbound, customers, createOrder, sealing }: Dependencies) {
  return {
    async list(pharmacyId: string): Promise<WhatsAppDraft[]> {
      const rows = await inbound.drafts(pharmacyId)
      return rows.flatMap(({ text, keyId, contactId: _contactId, ...draft }) => {
        const written = sealing.open(pharmacyId, 'text', text, keyId)
        return written === undefined ? [] : [{ ...draft, text: written }]
      })
    },

    async confirm(
      session: PharmacySession,
      draftId: string,
      fields: Pick<NewOrderFields, 'Cliente' | 'Phone Number' | 'Ordine'>,
    ): Promise<OrderRecord> {
      const { pharmacy } = session
      const { contactId } = await inbound.draft(pharmacy.id, draftId)
      const order = await createOrder({ ...session, keyId: null }, `whatsapp-draft-${draftId}`, {
        ...fields,
        Stato: 'In attesa',
      })
      await customers.link(pharmacy.id, order.id, contactId).catch(rethrowErased)
      await inbound.confirm(pharmacy.id, draftId)
      return order
    },

    dismiss: inbound.dismiss,
  }
}
