import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'

/** What the form is for. `copy`: a new offer that begins with the values of another. */
export type OfferTask = { kind: 'new' } | { kind: 'edit' | 'copy'; offer: OfferRecord }

/**
 * What the page of the offers tells its form, `OfferEditor` in `app/routes/offers/`. The page sets the task it is
 * asked for at once: it is the form that asks before it gives up what was typed, and goes back to its task with
 * `onTask` when the answer is no.
 */
export type OfferFormSlot = {
  task: OfferTask
  today: Day
  limit: { active: number; most: number }
  /**
   * The server has it like that now. After a new one the page goes on with a new one,
   * after an edit it closes the form.
   */
  onSaved: (offer: OfferRecord) => void
  onTask: (task: OfferTask) => void
  /**
   * Closes the form: on a phone it stands alone and this leads back to the list, on a wide screen it stands above the
   * list and is as wide as the page. Null where it cannot be closed.
   */
  onClose: (() => void) | null
}
