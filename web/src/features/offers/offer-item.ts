import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import type { ComponentType, MouseEvent } from 'react'
import type { OfferActions } from './offer-menu.tsx'

/** The picture of a product, small: what shows it is another feature's. */
export type OfferPicture = ComponentType<{ url: string; className: string }>

/** Leads to the form of an offer. */
export type FormLink = { to: { search: string }; replace: boolean; state: unknown }

/** What a row of the table and a card of the list receive alike. */
export type OfferItemProps = {
  offer: OfferRecord
  today: Day
  /** The form is open for it. */
  opened: boolean
  /** It was saved just now. */
  changed: boolean
  /** Its state was changed, and the server has not answered yet. */
  updating: boolean
  edit: FormLink
  Picture: OfferPicture
  actions: OfferActions
  onToggle: () => void
}

/** The grounds of the states; a bar or a word says it too. */
export const itemTint = [
  'data-opened:bg-accent-soft data-changed:animate-arrival',
  'scroll-mt-28 scroll-mb-28',
]

/** Whether a click on an offer means the offer: not when it was for a control in it, or ended a selection of text. */
export function meansOffer({ target }: MouseEvent): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('button, a, [role=menu]')) return false
  return !window.getSelection()?.toString()
}
