import { listOffers } from '@bancone/contract/offers'
import type { Category } from '@bancone/contract/product-categories'
import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ApiError } from '../../../lib/api.ts'
import { endpointQueryOptions } from '../../../lib/endpoint-query.ts'
import { dismissToast } from '../../../ui/toast.ts'
import type { OfferFormSlot } from '../offer-form-slot.ts'
import { notifyInvalid, notifySaved } from './notify-saved.ts'
import type { OfferDraft } from './offer-draft.ts'
import { changedId } from './offer-form-state.ts'
import { type FieldErrors, offerProblems } from './offer-problems.ts'
import { type SaveFailure, saveFailure } from './save-texts.ts'
import type { OfferFormControl } from './use-offer-form-state.ts'
import { useSaveOffer } from './use-save-offer.ts'

type SavingOptions = {
  slot: OfferFormSlot
  form: OfferFormControl
  /** Contains the fields. */
  root: RefObject<HTMLElement | null>
  categories: readonly Category[] | null
  medicine: boolean
  /** A picture is being uploaded. */
  awaitsPicture: boolean
}

type Refusal = SaveFailure & { count: number }

/** Saves the form: from the click on the button to the notice of the outcome. */
export function useOfferSaving(options: SavingOptions) {
  const { slot, form, root, categories, medicine, awaitsPicture } = options
  const { formState } = form
  const client = useQueryClient()
  const { busy, save: send } = useSaveOffer(slot.today, form.setSentAs)
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

  const problems = offerProblems(formState.draft, {
    today: slot.today,
    endBefore: formState.initial.ends,
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

  async function save({ insist = false, draft = formState.draft } = {}) {
    if (busy) return
    const wrong = problems && Object.keys(problems.fields)
    if (awaitsPicture && (wrong === null || wrong.join('') === 'picture')) {
      notifyInvalid('Immagine in arrivo', 'Aspetta che arrivi, poi salva.')
      return
    }
    if (problems) {
      flushSync(() => setTried(true))
      notifyInvalid(problems.title, problems.text)
      focusWrong()
      return
    }
    dismissToast('offer')
    setFailure(null)
    const outcome = await send({ ...formState, draft }, insist)
    if (outcome === null) return
    if ('error' in outcome) {
      // A closed form cannot show the error.
      if (alive.current) refuse(outcome.error)
      else
        notifyInvalid(
          saveFailure(outcome.error).title,
          'Quello che hai scritto è ancora nel modulo.',
        )
      return
    }
    const { offer } = outcome
    notifySaved(
      changedId(formState) === null ? 'Offerta creata' : 'Offerta aggiornata',
      offer,
      slot.today,
    )
    if (!alive.current) return
    if (changedId(formState) === null) form.startNew()
    else form.resetTo(offer)
    slot.onSaved(offer)
  }

  /** Replaces the input by the offer on the server. */
  async function reload() {
    try {
      const { offers } = await client.fetchQuery(endpointQueryOptions(listOffers, {}))
      const offer = offers.find(({ id }) => id === changedId(formState))
      if (!offer) throw new ApiError(404, 'The offer is gone', { code: 'offers.not_found' })
      form.resetTo(offer)
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
    /** An edited field counts as valid until the next submission. */
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
