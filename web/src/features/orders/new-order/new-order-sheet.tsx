import type { OrderRecord } from '@bancone/contract/orders'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { NewOrderForm } from './new-order-form.tsx'
import { creationFailure } from './new-order-texts.ts'
import { useCreateOrder } from './use-create-order.ts'

type NewOrderSheetProps = {
  onClose: () => void
  onReturnFocus: () => void
  onCreated: () => void
  /** Opens the details of the created order. */
  onShow: (order: OrderRecord) => void
}

/** The toast does not name the customer. */
function notifyCreated(order: OrderRecord, onShow: NewOrderSheetProps['onShow']) {
  const number = order.fields['ID Ordine']
  toastSuccess(number === undefined ? 'Ordine salvato' : `Ordine ${number} salvato`, {
    about: 'new-order',
    action: { label: 'Apri', run: () => onShow(order) },
  })
}

/** The form of a new order. Unsaved content is kept when the sheet is closed. */
export function NewOrderSheet({ onClose, onReturnFocus, onCreated, onShow }: NewOrderSheetProps) {
  const form = useId()
  const create = useCreateOrder()
  const [busy, setBusy] = useState(false)
  /** The element that had the focus: with the shortcut it can be anywhere in the list. */
  const [before] = useState(() => document.activeElement)
  const open = useRef(true)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
    }
  }, [])

  function returnFocus() {
    const there = before instanceof HTMLElement && before.isConnected && before !== document.body
    if (there) before.focus()
    else onReturnFocus()
  }

  const footer = (
    <>
      <Button className="flex-1" onClick={onClose}>
        Chiudi
      </Button>
      <Button type="submit" form={form} look="primary" className="flex-1" inactive={busy}>
        {busy ? 'Salvataggio in corso…' : 'Salva'}
      </Button>
    </>
  )
  return (
    <Sheet
      hasEntry
      title="Nuovo ordine"
      closeLabel="Chiudi la finestra"
      footer={footer}
      onClose={onClose}
      onReturnFocus={returnFocus}
    >
      <NewOrderForm
        id={form}
        onSave={async (fields) => {
          if (busy) return null
          setBusy(true)
          try {
            const order = await create(fields)
            if (order) {
              onCreated()
              notifyCreated(order, onShow)
            }
            if (open.current) onClose()
            return null
          } catch (error) {
            // The sheet was closed: the form cannot show the error.
            if (!open.current) {
              toastError("L'ordine non è stato salvato", {
                about: 'new-order',
                description: 'I dati sono ancora in «Nuovo ordine».',
              })
            }
            return creationFailure(error)
          } finally {
            setBusy(false)
          }
        }}
      />
    </Sheet>
  )
}
