import {
  addOrderView,
  changeOrderView,
  listOrderViews,
  type OrderView,
  removeOrderView,
  type ViewSearch,
} from '@bancone/contract/order-views'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { toastError, toastResult } from '../../ui/toast.ts'

const about = 'order-views'

/** How the saved views are changed. None of it names a view in a toast: its name may be a customer's. */
export function useChangeViews() {
  const client = useQueryClient()
  const { mutateAsync: add } = useEndpointMutation(addOrderView)
  const { mutateAsync: change } = useEndpointMutation(changeOrderView)
  const { mutateAsync: remove } = useEndpointMutation(removeOrderView)

  async function changed<T>(work: Promise<T>) {
    try {
      await work
    } finally {
      // Also when it failed: the view may be gone, or changed on another screen.
      await client.invalidateQueries({ queryKey: endpointKey(listOrderViews) })
    }
  }

  /** Says a failure for which there is no field to say it at. */
  async function told<T>(failure: string, work: Promise<T>): Promise<boolean> {
    try {
      await changed(work)
      return true
    } catch (error) {
      toastError(failure, { about, description: errorMessage(error) })
      return false
    }
  }

  const put = (name: string, search: ViewSearch) => add({ body: { name, search } })

  return {
    /** @throws when it could not be saved */
    save: (name: string, search: ViewSearch) => changed(put(name, search)),
    /** @throws when it could not be saved */
    rename: ({ id }: OrderView, name: string) =>
      changed(change({ params: { viewId: id }, body: { name } })),
    async update({ id }: OrderView, search: ViewSearch) {
      const work = change({ params: { viewId: id }, body: { search } })
      if (await told('Impossibile aggiornare la vista', work)) {
        toastResult('Vista aggiornata con i filtri attuali', { about })
      }
    },
    async drop({ id, name, search }: OrderView) {
      const work = remove({ params: { viewId: id } })
      if (!(await told('Impossibile eliminare la vista', work))) return
      const run = () => void told('Impossibile ripristinare la vista', put(name, search))
      toastResult('Vista eliminata', { about, action: { label: 'Annulla', run } })
    },
  }
}
