import type { OrderView } from '@bancone/contract/order-views'
import { AppError } from '../../../app-error.ts'
import type { OrderViewsStore } from './order-views.store.ts'

type ViewInput = Parameters<OrderViewsStore['add']>[1]
type ViewChange = Parameters<OrderViewsStore['change']>[2]

export type OrderViews = ReturnType<typeof createOrderViews>

/** The saved views of a pharmacy. */
export function createOrderViews(store: OrderViewsStore) {
  return {
    async list(pharmacyId: string): Promise<{ views: OrderView[] }> {
      return { views: await store.list(pharmacyId) }
    },

    async add(pharmacyId: string, shown: ViewInput): Promise<OrderView> {
      const view = await store.add(pharmacyId, shown)
      if (view === 'too many') throw new AppError('views.too_many')
      if (view === 'name taken') throw new AppError('views.name_taken')
      return view
    },

    async change(pharmacyId: string, viewId: string, shown: ViewChange): Promise<OrderView> {
      const view = await store.change(pharmacyId, viewId, shown)
      if (!view) throw new AppError('views.not_found')
      if (view === 'name taken') throw new AppError('views.name_taken')
      return view
    },

    async remove(pharmacyId: string, viewId: string): Promise<Record<string, never>> {
      if (!(await store.remove(pharmacyId, viewId))) throw new AppError('views.not_found')
      return {}
    },
  }
}
