import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import type { MouseEvent } from 'react'
import type { OfferActions } from './offer-menu.tsx'

/** Link to the form of an offer. */
export type FormLink = { to: { search: string }; replace: boolean; state: unknown }

/** Common props of the table's rows and the list's cards. */
export type OfferItemProps = {
  offer: OfferRecord
  today: Day
  /** The form is open for this offer. */
  opened: boolean
  /** The offer has just been saved. */
  changed: boolean
  /** A change of its status is pending. */
  updating: boolean
  edit: FormLink
  actions: OfferActions
  onToggle: () => void
}

/** Background colours of the states; a bar or a word shows the state, too. */
export const itemTint = [
  'data-opened:bg-accent-soft data-changed:animate-arrival',
  'scroll-mt-28 scroll-mb-28',
]

/** Whether a click opens the offer: not when it hit a control, or ended a text selection. */
export function isOfferClick({ target }: MouseEvent): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest('button, a, [role=menu]')) return false
  return !window.getSelection()?.toString()
}
