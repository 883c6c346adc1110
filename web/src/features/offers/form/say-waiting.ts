import { toastResult } from '../../../ui/toast.ts'
import { readChanges, readGiven, readOwn } from './kept-drafts.ts'
import { changedId, type OfferWork } from './offer-work.ts'

/** The form is gone, and nobody was asked: says that what stood in it is still there, if it is, and where. */
export function sayWaiting(work: OfferWork) {
  const id = changedId(work)
  const kept = id !== null ? readChanges(id) : work.from === null ? readOwn() : readGiven()
  if (kept === null) return
  toastResult(id === null ? 'Offerta tenuta da parte' : 'Modifiche tenute da parte', {
    about: 'offer',
    description:
      id === null
        ? 'Non è salvata: la ritrovi con «Nuova offerta».'
        : "Non sono salvate: le ritrovi quando riapri l'offerta.",
  })
}
