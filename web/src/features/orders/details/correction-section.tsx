import { correctOrder, removeOrder } from '@bancone/contract/order-corrections'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '../../../lib/api.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { dismissToast, toastNews } from '../../../ui/toast.ts'
import { hasCustomer, type OrderView } from '../data/order-view.ts'
import { invalidateOrderPages, setCachedOrder } from '../data/orders-cache.ts'
import { watchUserChange } from '../data/watch-user-change.ts'
import type { DraftFields } from '../new-order/new-order-draft.ts'
import {
  creationFailure,
  OrderNumberField,
  OrderTextFields,
  useOrderForm,
} from '../new-order/order-text-fields.tsx'
import { awaitRemoval } from './await-removal.ts'
import { DetailsSection } from './details-section.tsx'

/** Without a number the record id is shown instead of one. */
const numberOf = ({ number, recordId }: OrderView) => (number === recordId ? null : number)

const draftOf = (order: OrderView): DraftFields => ({
  Cliente: order.customer ?? '',
  'Phone Number': order.phone ?? '',
  Indirizzo: order.address ?? '',
  Ordine: order.product ?? '',
  Stato: 'In attesa',
  'ID Ordine': numberOf(order) ?? '',
})

const shown = (order: OrderView) => ({
  'ID Ordine': numberOf(order),
  Cliente: order.customer,
  'Phone Number': order.phone,
  Indirizzo: order.address,
  Ordine: order.product,
})

type CorrectionFormProps = { order: OrderView; onEnd: (isSaved: boolean) => void }

function CorrectionForm({ order, onEnd }: CorrectionFormProps) {
  const client = useQueryClient()
  const { busy, failure, run } = useAction()
  const form = useOrderForm(draftOf(order))
  const { setFocus, setError, handleSubmit } = form
  useEffect(() => setFocus('Cliente'), [setFocus])

  const save = handleSubmit(({ Stato: _, ...fields }) => {
    return run(
      async () => {
        const { recordId } = order
        try {
          const body = { fields, was: shown(order) }
          await setCachedOrder(client, await call(correctOrder, { params: { recordId }, body }))
        } finally {
          void invalidateOrderPages(client)
        }
        onEnd(true)
      },
      (error) => {
        const { field, text } = creationFailure(error)
        if (field !== null) setError(field, { message: text }, { shouldFocus: true })
        return text
      },
    )
  })

  return (
    <form noValidate autoComplete="off" onSubmit={save} className="flex flex-col gap-4">
      <FailureAlert failure={failure} />
      <OrderTextFields form={form} />
      <OrderNumberField form={form} hint="Vuoto: resta quello che ha." />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" inactive={busy}>
          {busy ? 'Salvataggio in corso…' : 'Salva la correzione'}
        </Button>
        <Button inactive={busy} onClick={() => onEnd(false)}>
          Annulla
        </Button>
      </div>
    </form>
  )
}

type CorrectionSectionProps = {
  order: OrderView
  isHeld: boolean
  onClose: () => void
}

/** Corrects or removes an order that was typed in. */
export function CorrectionSection({ order, isHeld, onClose }: CorrectionSectionProps) {
  const client = useQueryClient()
  const [correcting, setCorrecting] = useState(false)
  const [isSaved, setSaved] = useState(false)
  const content = useRef<HTMLDivElement>(null)
  return (
    <DetailsSection
      title="Ordine inserito a mano"
      hint={isHeld ? "Finché l'eliminazione dei dati è bloccata non si può eliminare" : undefined}
    >
      {/* A toast would cover the buttons on a phone. */}
      <p role="status" className="text-sm font-medium text-confirmed empty:hidden">
        {isSaved ? 'Ordine corretto.' : null}
      </p>
      {/* The button that gets the focus is scrolled to with what is said above it. */}
      <div ref={content} className="[&_button]:scroll-mt-24">
        {correcting ? (
          <CorrectionForm
            order={order}
            onEnd={(saved) => {
              // Rendered later, the form would still be there, with the first button.
              flushSync(() => {
                setCorrecting(false)
                setSaved(saved)
              })
              content.current?.querySelector('button')?.focus()
            }}
          />
        ) : (
          <div className="flex flex-wrap gap-2">
            {hasCustomer(order) ? (
              <Button
                onClick={() => {
                  setCorrecting(true)
                  setSaved(false)
                }}
              >
                <Pencil aria-hidden />
                Correggi
              </Button>
            ) : null}
            {isHeld ? null : (
              <Button
                onClick={() => {
                  removeOrderLater(client, order)
                  onClose()
                }}
              >
                <Trash2 aria-hidden />
                Elimina ordine
              </Button>
            )}
          </div>
        )}
      </div>
    </DetailsSection>
  )
}

/** Time in which a removal can be undone. */
const UNDO_MS = 10_000
const TOAST = 'order-removal'

/** The removal that can still be undone. Outside React: the details of the order are closed meanwhile. */
let send: (() => void) | null = null

window.addEventListener('pagehide', () => send?.())

/** Removes an order after a delay in which that can be undone; at once when another one follows or the page is left. */
function removeOrderLater(
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
