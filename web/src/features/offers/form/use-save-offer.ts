import type { Day } from '@bancone/contract/dates'
import { changeOffer, createOffer, listOffers, type OfferRecord } from '@bancone/contract/offers'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { ApiError } from '../../../lib/api.ts'
import { endpointKey, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { pharmacySession } from '../../../lib/session.ts'
import { type NewFields, toOfferChange, toOfferFields } from './offer-fields.ts'
import { changedId, discardFormState, type OfferFormState } from './offer-form-state.ts'

/** Null when it is being saved already, or another user has signed in meanwhile. */
export type SaveOutcome = { offer: OfferRecord } | { error: unknown } | null

/** The server has rejected the request. After any other error the outcome is unknown. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/**
 * Creates or changes the offer of the form; idempotent.
 *
 * @param onSentAs see `OfferFormState.sentAs`
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
      // The rejection says nothing about an earlier request, which may have succeeded.
      if (sentAs === null && isRefusal(error)) onSentAs(null)
      throw error
    }
    // The first request may have created the offer from an earlier state of the form.
    return change({ params: { offerId }, body: { fields: toOfferChange(fields) } })
  }

  async function send(work: OfferFormState, insist: boolean): Promise<OfferRecord | null> {
    const fields = toOfferFields(work.draft, today)
    if (fields === null) return null
    const offerId = changedId(work)
    if (offerId === null) return make(work.sentAs, fields)
    const seen = insist ? {} : { seen: work.seen }
    return change({ params: { offerId }, body: { fields: toOfferChange(fields), ...seen } })
  }

  /** @param insist overwrites changes made elsewhere */
  async function save(work: OfferFormState, insist: boolean): Promise<SaveOutcome> {
    if (running.current) return null
    running.current = true
    setBusy(true)
    const userId = pharmacySession.current()?.userId
    const isGone = () => pharmacySession.current()?.userId !== userId
    try {
      const offer = await send(work, insist)
      if (offer === null || isGone()) return null
      // Also when the form was closed meanwhile.
      discardFormState(work)
      return { offer }
    } catch (error) {
      return isGone() ? null : { error }
    } finally {
      running.current = false
      setBusy(false)
      // Also when the response was lost: the offer may exist all the same.
      void client.invalidateQueries({ queryKey: endpointKey(listOffers) })
    }
  }

  return { busy, save }
}
