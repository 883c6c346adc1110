import type { Day } from '@bancone/contract/dates'
import { arrangeOffers, type OfferRecord } from '@bancone/contract/offers'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import type { GuardedOverlay } from '../../../lib/use-guarded-overlay.ts'
import { Alert } from '../../../ui/alert.tsx'
import { ActionSheet } from '../../../ui/form-sheet.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import { invalidateOffers } from '../offers-cache.ts'
import { isArranged, reconciled, shownOrder } from './shown-order.ts'
import { SortableList } from './sortable-list.tsx'

type ArrangeSheetProps = {
  /** Newest first. */
  offers: readonly OfferRecord[]
  today: Day
  entry: GuardedOverlay
  onReturnFocus: () => void
}

/** Arranges the offers in the order in which customers see them. */
export function ArrangeSheet({ offers, today, entry, onReturnFocus }: ArrangeSheetProps) {
  const client = useQueryClient()
  const { mutateAsync, isPending, error } = useEndpointMutation(arrangeOffers)
  /** Ids in the new order; null until the user changes it. */
  const [order, setOrder] = useState<readonly string[] | null>(null)
  const dragging = useRef(false)
  const shown = shownOrder(offers, today)
  const arranged = order === null ? shown : reconciled(order, shown)
  const unsaved = order !== null

  function put(next: readonly OfferRecord[]) {
    const ids = next.map(({ id }) => id)
    const same = ids.join() === shown.map(({ id }) => id).join()
    setOrder(same ? null : ids)
    entry.setUnsaved(!same)
  }

  async function send(offerIds: string[], text: string) {
    try {
      await mutateAsync({ body: { offerIds } })
    } catch {
      return
    }
    await invalidateOffers(client)
    toastSuccess(text)
    entry.close()
  }

  function leave() {
    // The key or click that ends a drag must not close the sheet.
    if (!dragging.current) entry.leave()
  }

  return (
    <ActionSheet
      title="Riordina le offerte"
      confirm="Salva l'ordine"
      busy={isPending}
      notYet={!unsaved}
      action={() =>
        void send(
          arranged.map(({ id }) => id),
          'Ordine salvato',
        )
      }
      other={{
        label: 'Ordine automatico',
        inactive: isPending || !isArranged(offers),
        onClick: () => void send([], "L'ordine è di nuovo automatico"),
      }}
      overlay={entry}
      leaveTexts={{
        text: 'Il nuovo ordine delle offerte non è ancora salvato: i clienti vedono quello di prima.',
        stay: 'Continua a ordinare',
      }}
      onClose={leave}
      onReturnFocus={onReturnFocus}
    >
      <div className="flex flex-col gap-3">
        <p className="text-sm text-pretty text-muted">
          {isArranged(offers) || unsaved
            ? 'I clienti le vedono in quest’ordine. Le offerte nuove vanno in fondo.'
            : 'Adesso i clienti vedono prima gli sconti maggiori. Trascina le offerte, o usa le frecce, per decidere tu.'}
        </p>
        {error ? <Alert tone="error">{errorMessage(error)}</Alert> : null}
        <SortableList
          offers={arranged}
          today={today}
          onDragging={(now) => {
            dragging.current = now
          }}
          onOrder={put}
        />
      </div>
    </ActionSheet>
  )
}
