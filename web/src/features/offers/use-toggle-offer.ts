import { changeOffer, type OfferRecord, type OfferStatus } from '@bancone/contract/offers'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { toastError, toastSuccess } from '../../ui/toast.ts'
import { invalidateOffers, setCachedOffer } from './offers-cache.ts'

const done: Record<OfferStatus, string> = {
  Attiva: "L'offerta è ora attiva",
  Inattiva: "L'offerta è ora inattiva",
}

/** The offer with its new status, shown optimistically. */
export function withStatus(offer: OfferRecord, Stato_Offerta: OfferStatus | undefined) {
  if (Stato_Offerta === undefined) return offer
  return { ...offer, fields: { ...offer.fields, Stato_Offerta } }
}

/** Switches offers on and off, several at the same time if needed. @param most limit of published offers */
export function useToggleOffer(most: number) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(changeOffer)
  /** Requested statuses, until the server has answered. */
  const [pending, setPending] = useState<ReadonlyMap<string, OfferStatus>>(new Map())

  function reason(error: unknown): string {
    const full = hasCode(error, 'offers.limit_reached')
    if (!full) return errorMessage(error)
    return `Hai già ${most === 1 ? '1 offerta attiva' : `${most} offerte attive`}, il massimo: disattivane un'altra e riprova.`
  }

  async function toggle({ id, fields }: OfferRecord) {
    if (pending.has(id)) return
    const status = fields.Stato_Offerta === 'Attiva' ? 'Inattiva' : 'Attiva'
    setPending((before) => new Map(before).set(id, status))
    try {
      const changed = await mutateAsync({
        params: { offerId: id },
        body: { fields: { Stato_Offerta: status } },
      })
      await setCachedOffer(client, changed)
      toastSuccess('Stato aggiornato', { about: `offer-${id}`, description: done[status] })
    } catch (error) {
      toastError("Impossibile aggiornare lo stato dell'offerta", {
        about: `offer-${id}`,
        description: reason(error),
      })
      void invalidateOffers(client)
    } finally {
      setPending((before) => new Map([...before].filter(([other]) => other !== id)))
    }
  }

  return { pending, toggle: (offer: OfferRecord) => void toggle(offer) }
}
