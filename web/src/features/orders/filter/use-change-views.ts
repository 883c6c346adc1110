import {
  addOrderView,
  changeOrderView,
  listOrderViews,
  type OrderView,
  removeOrderView,
  type ViewSearch,
} from '@bancone/contract/order-views'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { toastError, toastSuccess } from '../../../ui/toast.ts'

const about = 'order-views'

/** Mutations of saved views. Toasts do not contain a view's name: it may be the name of a customer. */
export function useChangeViews() {
  const client = useQueryClient()
  const { mutateAsync: add } = useEndpointMutation(addOrderView)
  const { mutateAsync: change } = useEndpointMutation(changeOrderView)
  const { mutateAsync: remove } = useEndpointMutation(removeOrderView)

  async function changed<T>(work: Promise<T>) {
    try {
      await work
    } finally {
      // Also after a failure: the view may have been removed or changed on another device.
      await client.invalidateQueries({ queryKey: endpointKey(listOrderViews) })
    }
  }

  /** Reports a failure as a toast, where there is no field for it. */
  async function reportingFailure<T>(failure: string, work: Promise<T>): Promise<boolean> {
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
      if (await reportingFailure('Impossibile aggiornare la vista', work)) {
        toastSuccess('Vista aggiornata con i filtri attuali', { about })
      }
    },
    async remove({ id, name, search }: OrderView) {
      const work = remove({ params: { viewId: id } })
      if (!(await reportingFailure('Impossibile eliminare la vista', work))) return
      const run = () =>
        void reportingFailure('Impossibile ripristinare la vista', put(name, search))
      toastSuccess('Vista eliminata', { about, action: { label: 'Annulla', run } })
    },
  }
}
