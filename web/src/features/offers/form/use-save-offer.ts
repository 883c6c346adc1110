import type { Day } from '@bancone/contract/dates'
import { changeOffer, createOffer, listOffers, type OfferRecord } from '@bancone/contract/offers'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { endpointKey, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { pharmacySession } from '../../../lib/session.ts'
import { changedId, forgetWork, type OfferWork } from './offer-work.ts'
import { type NewFields, writtenChange, writtenOffer } from './written-offer.ts'

/** Null: it is being saved already, or is nothing to whoever is signed in by now. */
export type SaveOutcome = { offer: OfferRecord } | { error: unknown } | null

/** The server has said no: it did not make the offer. Anything else leaves that open. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/**
 * Makes the offer of the form, or changes it; once, however often it is asked to.
 *
 * @param onSentAs see `OfferWork.sentAs`
 */
export function useSaveOffer(today: Day, onSentAs: (id: string | null) => void) {
  const client = useQueryClient()
  const { mutateAsync: create } = useEndpointMutation(createOffer)
  const { mutateAsync: change } = useEndpointMutation(changeOffer)
  const running = useRef(false)
  const [busy, setBusy] = useState(false)

  async function make(sentAs: string | null, fields: NewFields): Promise<OfferRecord> {
    const offerId = sentAs ?? crypto.randomUUID()
    onSentAs(offerId)
    try {
      const made = await create({ body: { id: offerId, fields } })
      if (sentAs === null) return made
    } catch (error) {
      // Of what was sent before, and may be there, it says nothing.
      if (sentAs === null && isRefusal(error)) onSentAs(null)
      throw error
    }
    // Perhaps it was made the first time, with what stood in the form then.
    return change({ params: { offerId }, body: { fields: writtenChange(fields) } })
  }

  async function send(work: OfferWork, insist: boolean): Promise<OfferRecord | null> {
    const fields = writtenOffer(work.draft, today)
    if (fields === null) return null
    const offerId = changedId(work)
    if (offerId === null) return make(work.sentAs, fields)
    const seen = insist ? {} : { seen: work.seen }
    return change({ params: { offerId }, body: { fields: writtenChange(fields), ...seen } })
  }

  /** @param insist whatever somebody else has done to it meanwhile */
  async function save(work: OfferWork, insist: boolean): Promise<SaveOutcome> {
    if (running.current) return null
    running.current = true
    setBusy(true)
    const userId = pharmacySession.current()?.userId
    const isGone = () => pharmacySession.current()?.userId !== userId
    try {
      const offer = await send(work, insist)
      if (offer === null || isGone()) return null
      // Also when the form has been closed meanwhile.
      forgetWork(work)
      return { offer }
    } catch (error) {
      return isGone() ? null : { error }
    } finally {
      running.current = false
      setBusy(false)
      // Also when the answer was lost: it may be there all the same.
      void client.invalidateQueries({ queryKey: endpointKey(listOffers) })
    }
  }

  return { busy, save }
}
