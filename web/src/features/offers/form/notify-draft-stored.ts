import { toastSuccess } from '../../../ui/toast.ts'
import { changedId, type OfferFormState } from './offer-form-state.ts'
import { readChanges, readOwnDraft, readPrefilledDraft } from './stored-drafts.ts'

/** After the form was closed without confirmation: tells whether and where the unsaved input was stored. */
export function notifyDraftStored(work: OfferFormState) {
  const id = changedId(work)
  const kept =
    id !== null ? readChanges(id) : work.from === null ? readOwnDraft() : readPrefilledDraft()
  if (kept === null) return
  toastSuccess(id === null ? 'Offerta tenuta da parte' : 'Modifiche tenute da parte', {
    about: 'offer',
    description:
      id === null
        ? 'Non è salvata: la ritrovi con «Nuova offerta».'
        : "Non sono salvate: le ritrovi quando riapri l'offerta.",
  })
}
