import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'

/** Purpose of the form. `copy`: a new offer with the values of another. */
export type OfferTask = { kind: 'new' } | { kind: 'edit' | 'copy'; offer: OfferRecord }

/**
 * Props that the offers page passes to its form, `OfferEditor` in `app/routes/offers/`. The page sets a new task at
 * once: the form asks before it discards input and, when the user declines, calls `onTask` with its old task.
 */
export type OfferFormSlot = {
  task: OfferTask
  today: Day
  limit: { active: number; most: number | null }
  /** The offer was saved. After a new offer the page opens another new one, after an edit it closes the form. */
  onSaved: (offer: OfferRecord) => void
  onTask: (task: OfferTask) => void
  /**
   * Closes the form, which fills the page on a phone and stands above the list on a wide screen. Null where it cannot
   * be closed.
   */
  onClose: (() => void) | null
}
