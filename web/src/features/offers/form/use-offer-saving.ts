import { listOffers } from '@bancone/contract/offers'
import type { Category } from '@bancone/contract/product-categories'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../../../lib/api.ts'
import { endpointQuery } from '../../../lib/endpoint-query.ts'
import { dismissToast } from '../../../ui/toast.ts'
import type { OfferFormSlot } from '../offer-form-slot.ts'
import type { OfferDraft } from './offer-draft.ts'
import { type FieldErrors, offerProblems } from './offer-problems.ts'
import { changedId } from './offer-work.ts'
import { type SaveFailure, saveFailure } from './save-texts.ts'
import { saySaved, sayWrong } from './say-saved.ts'
import type { OfferWorkControl } from './use-offer-work.ts'
import { useSaveOffer } from './use-save-offer.ts'

type SavingOptions = {
  slot: OfferFormSlot
  form: OfferWorkControl
  /** Where the fields are. */
  root: RefObject<HTMLElement | null>
  categories: readonly Category[] | null
  medicine: boolean
  /** A picture is on its way. */
  awaitsPicture: boolean
}

type Refusal = SaveFailure & { count: number }

/** From the press of the button to what is said of it. */
export function useOfferSaving(options: SavingOptions) {
  const { slot, form, root, categories, medicine, awaitsPicture } = options
  const { work } = form
  const client = useQueryClient()
  const { busy, save: send } = useSaveOffer(slot.today, form.noteSent)
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<FieldErrors>({})
  const [failure, setFailure] = useState<Refusal | null>(null)
  const [conflict, setConflict] = useState(false)
  const alive = useRef(true)
  useEffect(() => {
    alive.current = true
    return () => {
      alive.current = false
    }
  }, [])

  const problems = offerProblems(work.draft, {
    today: slot.today,
    endBefore: work.begun.ends,
    categories: categories?.map(({ name }) => name) ?? null,
    medicine,
  })

  function focusWrong() {
    root.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }

  function refuse(error: unknown) {
    const found = saveFailure(error)
    if (found.code === 'offers.changed_meanwhile') {
      setConflict(true)
      return
    }
    const { field } = found
    flushSync(() => {
      setFailure((before) => ({ ...found, count: (before?.count ?? 0) + 1 }))
      if (field !== null) setRefused({ [field]: found.reason })
    })
    if (field !== null) focusWrong()
  }

  async function save({ insist = false, draft = work.draft } = {}) {
    if (busy) return
    const wrong = problems && Object.keys(problems.fields)
    if (awaitsPicture && (wrong === null || wrong.join('') === 'picture')) {
      sayWrong('Immagine in arrivo', 'Aspetta che arrivi, poi salva.')
      return
    }
    if (problems) {
      flushSync(() => setTried(true))
      sayWrong(problems.title, problems.text)
      focusWrong()
      return
    }
    dismissToast('offer')
    setFailure(null)
    const outcome = await send({ ...work, draft }, insist)
    if (outcome === null) return
    if ('error' in outcome) {
      // Who has closed the form would not see it there.
      if (alive.current) refuse(outcome.error)
      else sayWrong(saveFailure(outcome.error).title, 'Quello che hai scritto è ancora nel modulo.')
      return
    }
    const { offer } = outcome
    saySaved(changedId(work) === null ? 'Offerta creata' : 'Offerta aggiornata', offer, slot.today)
    if (!alive.current) return
    if (changedId(work) === null) form.beginNew()
    else form.becomes(offer)
    slot.onSaved(offer)
  }

  /** What the server has now takes the place of what was typed. */
  async function reload() {
    try {
      const { offers } = await client.fetchQuery(endpointQuery(listOffers, {}))
      const offer = offers.find(({ id }) => id === changedId(work))
      if (!offer) throw new ApiError(404, 'The offer is gone', { code: 'offers.not_found' })
      form.becomes(offer)
    } catch (error) {
      refuse(error)
    } finally {
      setConflict(false)
    }
  }

  return {
    busy,
    errors: { ...(tried ? problems?.fields : {}), ...refused },
    failure,
    conflict,
    save,
    /** What somebody mends is not wrong any more until it is sent again. */
    mended(part: Partial<OfferDraft>) {
      const left = Object.entries(refused).filter(([field]) => !(field in part))
      if (left.length < Object.keys(refused).length) setRefused(Object.fromEntries(left))
    },
    closeConflict: () => setConflict(false),
    async insist() {
      setConflict(false)
      await save({ insist: true })
    },
    reload,
  }
}
