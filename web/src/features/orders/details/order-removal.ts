import { removeOrder } from '@bancone/contract/order-corrections'
import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../../lib/api.ts'
import { dismissToast, toastNews } from '../../../ui/toast.ts'
import { invalidateOrderPages } from '../orders-cache.ts'
import { watchUserChange } from '../watch-user-change.ts'
import { awaitRemoval } from './await-removal.ts'

/** Time in which a removal can be undone. */
const UNDO_MS = 10_000
const TOAST = 'order-removal'

/** The removal that can still be undone. Outside React: the details of the order are closed meanwhile. */
let send: (() => void) | null = null

window.addEventListener('pagehide', () => send?.())

/** Removes an order after a delay in which that can be undone; at once when another one follows or the page is left. */
export function removeOrderLater(
  client: QueryClient,
  { recordId, number }: { recordId: string; number: string },
) {
  send?.()
  const user = watchUserChange()
  const isUndone = () => {
    clearTimeout(timer)
    if (send === commit) send = null
    user.stop()
    return user.hasChanged()
  }
  async function remove() {
    if (isUndone()) return
    dismissToast(TOAST)
    const removal = call(removeOrder, { params: { recordId } })
    await awaitRemoval(removal, 'orders.not_found', `L'ordine ${number} non è stato eliminato`)
    await invalidateOrderPages(client)
  }
  const commit = () => void remove()
  const timer = setTimeout(commit, UNDO_MS)
  send = commit
  toastNews(`Ordine ${number}: tra poco sarà eliminato`, {
    about: TOAST,
    milliseconds: UNDO_MS,
    action: { label: 'Annulla', run: () => void isUndone() },
  })
}
