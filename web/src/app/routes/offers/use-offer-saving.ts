import type { ErrorCode } from '@bancone/contract/errors'
import {
  changeOffer,
  createOffer,
  listOffers,
  type OfferInput,
  type OfferRecord,
} from '@bancone/contract/offers'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { ApiError } from '../../../lib/api.ts'
import {
  endpointKey,
  endpointQueryOptions,
  useEndpointMutation,
} from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { pharmacySession } from '../../../lib/session.ts'
import { dismissToast } from '../../../ui/toast.ts'
import type { OfferDraft, OfferField } from './offer-draft.ts'
import { toOfferChange } from './offer-fields.ts'
import { errorFields, errorSummary, type OfferSchema } from './offer-schema.ts'
import { notifyNotSaved, notifySaved } from './offer-toasts.ts'
import { discardForm } from './opened-form.ts'
import type { OfferEditorState } from './use-offer-editor.ts'

type SavingOptions = {
  slot: OfferFormSlot
  editor: OfferEditorState
  form: UseFormReturn<OfferDraft, unknown, OfferInput>
  schema: OfferSchema
  /** A picture is being uploaded or looked up. */
  awaitsPicture: boolean
}

/** What became of the last attempt to save. */
type Outcome =
  | { state: 'none' }
  | { state: 'failed'; failure: SaveFailure }
  /** The offer was changed elsewhere meanwhile. */
  | { state: 'conflict' }

/** The server has rejected the request. After any other error the outcome is unknown. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** Saves the form: from the click on the button to the notice of the outcome. */
export function useOfferSaving({ slot, editor, form, schema, awaitsPicture }: SavingOptions) {
  const { opened } = editor
  const { isSubmitting: busy } = form.formState
  const client = useQueryClient()
  const { mutateAsync: create } = useEndpointMutation(createOffer)
  const { mutateAsync: change } = useEndpointMutation(changeOffer)
  const [outcome, setOutcome] = useState<Outcome>({ state: 'none' })
  const offerId = opened.task.kind === 'edit' ? opened.task.offer.id : null
  const alive = useRef(true)
  useEffect(() => {
    alive.current = true
    return () => {
      alive.current = false
    }
  }, [])

  /** Idempotent: the offer is sent under the same id until the outcome is known. */
  async function createOnce(fields: OfferInput): Promise<OfferRecord> {
    const { sentAs } = opened
    const id = sentAs ?? crypto.randomUUID()
    editor.setSentAs(id)
    try {
      const created = await create({ body: { id, fields } })
      if (sentAs === null) return created
    } catch (error) {
      // The rejection says nothing about an earlier request, which may have succeeded.
      if (sentAs === null && isRefusal(error)) editor.setSentAs(null)
      throw error
    }
    // The first request may have created the offer from an earlier state of the form.
    return change({ params: { offerId: id }, body: { fields: toOfferChange(fields) } })
  }

  async function send(fields: OfferInput, insist: boolean): Promise<OfferRecord> {
    try {
      if (offerId === null) return await createOnce(fields)
      const seen = insist ? {} : { seen: opened.seen }
      return await change({ params: { offerId }, body: { fields: toOfferChange(fields), ...seen } })
    } finally {
      // Also when the response was lost: the offer may exist all the same.
      void client.invalidateQueries({ queryKey: endpointKey(listOffers) })
    }
  }

  function showFailure(error: unknown) {
    const failure = saveFailure(error)
    const { code, title, reason, field } = failure
    if (!alive.current) notifyNotSaved(title, 'Quello che hai scritto è ancora nel modulo.')
    else if (code === 'offers.changed_meanwhile') setOutcome({ state: 'conflict' })
    else {
      setOutcome({ state: 'failed', failure })
      if (field !== null) form.setError(field, { message: reason }, { shouldFocus: true })
    }
  }

  async function submit(fields: OfferInput, insist: boolean) {
    dismissToast('offer')
    setOutcome({ state: 'none' })
    const userId = pharmacySession.current()?.userId
    const isGone = () => pharmacySession.current()?.userId !== userId
    try {
      const offer = await send(fields, insist)
      if (isGone()) return
      // Also when the form was closed meanwhile.
      discardForm(opened)
      notifySaved(offerId === null ? 'Offerta creata' : 'Offerta aggiornata', offer, slot.today)
      if (!alive.current) return
      if (offerId === null) editor.startNew()
      else editor.resetTo(offer)
      slot.onSaved(offer)
    } catch (error) {
      if (!isGone()) showFailure(error)
    }
  }

  /** @param insist overwrites changes made elsewhere */
  async function save({ insist = false } = {}) {
    if (busy) return
    const { error } = schema.safeParse(form.getValues())
    if (awaitsPicture && (error?.issues ?? []).every(({ path: [field] }) => field === 'picture')) {
      notifyNotSaved('Immagine in arrivo', 'Aspetta che arrivi, poi salva.')
      return
    }
    await form.handleSubmit(
      (fields) => submit(fields, insist),
      (errors) => {
        const { title, text } = errorSummary(errors, form.getValues())
        notifyNotSaved(title, text)
      },
    )()
  }

  return {
    busy,
    outcome,
    save,
    closeConflict: () => setOutcome({ state: 'none' }),
    async insist() {
      setOutcome({ state: 'none' })
      await save({ insist: true })
    },
    /** Replaces the input by the offer on the server. */
    async reload() {
      try {
        const { offers } = await client.fetchQuery(endpointQueryOptions(listOffers, {}))
        const offer = offers.find(({ id }) => id === offerId)
        if (!offer) throw new ApiError(404, 'The offer is gone', { code: 'offers.not_found' })
        editor.resetTo(offer)
      } catch (error) {
        showFailure(error)
      }
    },
  }
}

/** Permanent errors: retrying later does not help. */
const lasting = new Set<ErrorCode>([
  'offers.limit_reached',
  'offers.too_many',
  'offers.not_found',
  'access.denied',
])

export type SaveFailure = {
  code: ErrorCode | null
  title: string
  reason: string
  /** The field to correct. */
  field: OfferField | null
}

function saveFailure(error: unknown): SaveFailure {
  const code = error instanceof ApiError ? error.code : null
  const field = (code && errorFields[code]) ?? null
  const passes = field === null && (code === null || !lasting.has(code))
  return {
    code,
    title: passes
      ? "Impossibile salvare l'offerta. Riprova più tardi."
      : "Impossibile salvare l'offerta.",
    reason: errorMessage(error),
    field,
  }
}
