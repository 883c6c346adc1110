import type { Day } from '@bancone/contract/dates'
import { type OfferRecord, offerState } from '@bancone/contract/offers'
import { publicOffersPath } from '@bancone/contract/pages'
import { toastError, toastResult } from '../../../ui/toast.ts'
import { savedText } from './save-texts.ts'

const ABOUT = 'offer'

async function copyLink({ id, fields }: OfferRecord) {
  const { href } = new URL(publicOffersPath(fields.Farmacia_ID, id), location.origin)
  try {
    await navigator.clipboard.writeText(href)
    toastResult('Link copiato', { about: ABOUT })
  } catch {
    toastError(`Copia non riuscita: ${href}`, { about: ABOUT })
  }
}

/** Says that it is saved, what customers see of it, and how to show it to them. */
export function saySaved(title: string, offer: OfferRecord, today: Day) {
  const shown = offerState(offer.fields, today) === 'active'
  toastResult(title, {
    about: ABOUT,
    description: savedText(offer, today),
    ...(shown && { action: { label: 'Copia link', run: () => void copyLink(offer) }, long: true }),
  })
}

/** What keeps it from being saved. */
export function sayWrong(title: string, text: string) {
  toastError(title, { about: ABOUT, description: text })
}
