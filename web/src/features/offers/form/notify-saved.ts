import type { Day } from '@bancone/contract/dates'
import { type OfferRecord, offerState } from '@bancone/contract/offers'
import { publicOffersPath } from '@bancone/contract/pages'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { savedText } from './save-texts.ts'

const ABOUT = 'offer'

async function copyLink({ id, fields }: OfferRecord) {
  const { href } = new URL(publicOffersPath(fields.Farmacia_ID, id), location.origin)
  try {
    await navigator.clipboard.writeText(href)
    toastSuccess('Link copiato', { about: ABOUT })
  } catch {
    toastError(`Copia non riuscita: ${href}`, { about: ABOUT })
  }
}

/** Confirms the saving, says what customers see of the offer, and how to share it. */
export function notifySaved(title: string, offer: OfferRecord, today: Day) {
  const shown = offerState(offer.fields, today) === 'active'
  toastSuccess(title, {
    about: ABOUT,
    description: savedText(offer, today),
    ...(shown && { action: { label: 'Copia link', run: () => void copyLink(offer) }, long: true }),
  })
}

/** Says why the form cannot be saved. */
export function notifyInvalid(title: string, text: string) {
  toastError(title, { about: ABOUT, description: text })
}
