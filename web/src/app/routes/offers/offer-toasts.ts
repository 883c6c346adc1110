import { type Day, formatShortDay } from '@bancone/contract/dates'
import { taggedLink } from '@bancone/contract/link-tags'
import { type OfferRecord, offerState } from '@bancone/contract/offers'
import { publicOffersPath } from '@bancone/contract/pages'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { isStored, type OpenedForm } from './opened-form.ts'

const ABOUT = 'offer'

async function copyLink({ id, fields }: OfferRecord) {
  const href = taggedLink(location.origin + publicOffersPath(fields.Farmacia_ID, id), 'link')
  try {
    await navigator.clipboard.writeText(href)
    toastSuccess('Link copiato', { about: ABOUT })
  } catch {
    toastError(`Copia non riuscita: ${href}`, { about: ABOUT })
  }
}

/** What customers see of the offer now. */
function publicState({ fields }: OfferRecord, today: Day): string {
  const state = offerState(fields, today)
  if (state === 'active') return 'I clienti la vedono già.'
  if (state === 'scheduled')
    return `I clienti la vedranno dal ${formatShortDay(fields.Data_Inizio)}.`
  return state === 'expired'
    ? 'È scaduta: i clienti non la vedono.'
    : 'È inattiva: i clienti non la vedono.'
}

/** Confirms the saving, says what customers see of the offer, and how to share it. */
export function notifySaved(title: string, offer: OfferRecord, today: Day) {
  const shown = offerState(offer.fields, today) === 'active'
  toastSuccess(title, {
    about: ABOUT,
    description: publicState(offer, today),
    ...(shown && { action: { label: 'Copia link', run: () => void copyLink(offer) }, long: true }),
  })
}

/** Says why the form is not saved. */
export function notifyNotSaved(title: string, text: string) {
  toastError(title, { about: ABOUT, description: text })
}

/** After the form was closed without confirmation: tells whether and where the unsaved input was stored. */
export function notifyStored(form: OpenedForm) {
  if (!isStored(form)) return
  const isEdit = form.task.kind === 'edit'
  toastSuccess(isEdit ? 'Modifiche tenute da parte' : 'Offerta tenuta da parte', {
    about: ABOUT,
    description: isEdit
      ? "Non sono salvate: le ritrovi quando riapri l'offerta."
      : 'Non è salvata: la ritrovi con «Nuova offerta».',
  })
}
