import type { OrderNote } from '@bancone/contract/order-details'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import { formatDateTime } from '../../../lib/format.ts'
import { useOwnPharmacy } from '../../../lib/own-pharmacy.ts'
import { useNow } from '../../../lib/use-now.ts'
import type { OrderView } from '../order-view.ts'

type OrderSlipProps = {
  order: OrderView
  notes: readonly OrderNote[]
  /** Called when the print dialog is closed. */
  onPrinted: () => void
}

/** Any paper size; the slip has the width of an 80 mm roll. */
const page = '@media print { @page { size: auto; margin: 4mm } }'

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="mt-2">
      <dt className="text-xs">{term}</dt>
      <dd className="font-medium wrap-anywhere whitespace-pre-line">{children}</dd>
    </div>
  )
}

/**
 * A slip of an order, printed when it is mounted and invisible on the screen. The document title contains only the
 * order number.
 */
export function OrderSlip({ order, notes, onPrinted }: OrderSlipProps) {
  const pharmacy = useOwnPharmacy().data
  const now = useNow()
  const end = useEffectEvent(onPrinted)
  useEffect(() => {
    const title = document.title
    document.title = `Ordine ${order.number}`
    const done = () => end()
    window.addEventListener('afterprint', done)
    window.print()
    return () => {
      window.removeEventListener('afterprint', done)
      document.title = title
    }
  }, [order.number])
  return createPortal(
    <div data-print-alone className="hidden w-[72mm] text-sm text-ink print:block">
      <style>{page}</style>
      <p className="font-medium">{pharmacy?.name}</p>
      <p className="mt-2 text-xs">Ordine</p>
      <p className="text-4xl leading-none font-medium wrap-anywhere tabular-nums">{order.number}</p>
      <dl>
        <Line term="Cliente">{order.customer ?? 'Non indicato'}</Line>
        <Line term="Contatti">{order.phone ?? 'Nessun numero di telefono'}</Line>
        <Line term="Indirizzo">{order.address ?? 'Nessun indirizzo specificato'}</Line>
        <Line term="Prodotto Richiesto">{order.product ?? 'Non indicato'}</Line>
        <Line term="Stato">{order.status || 'Senza stato'}</Line>
        <Line term="Data Ordine">{formatDateTime(order.created)}</Line>
        {notes.length > 0 ? (
          <Line term="Note private">{notes.map(({ text }) => text).join('\n')}</Line>
        ) : null}
      </dl>
      <p className="mt-8 border-t border-ink pt-1 text-xs">Ritirato da</p>
      <p className="mt-2 text-xs">Stampato il {formatDateTime(now)}</p>
    </div>,
    document.body,
  )
}
