import type { OrderNote } from '@bancone/contract/order-details'
import { hideCodes } from '@bancone/contract/prescription-codes'
import { type ReactNode, useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import { formatDateTime } from '../../../lib/format.ts'
import { useOwnPharmacy } from '../../../lib/own-pharmacy.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Barcode, barcodeLength } from '../../../ui/barcode.tsx'
import { code128 } from '../../../ui/barcode-widths.ts'
import type { OrderView } from '../data/order-view.ts'
import { slipCode } from '../data/slip-code.ts'

type PrintProps = {
  order: OrderView
  /** Called when the print dialog is closed. */
  onPrinted: () => void
}

/** Any paper size; what is printed has the width of an 80 mm roll. */
const page = '@media print { @page { size: auto; margin: 4mm } }'
const WIDTH_MM = 72

/**
 * Printed when it is mounted, alone, and invisible on the screen. The document title contains only the order number.
 */
function Print({ order, onPrinted, children }: PrintProps & { children: ReactNode }) {
  const pharmacy = useOwnPharmacy().data
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
      {children}
    </div>,
    document.body,
  )
}

/** A dot of the thermal printers that pharmacies have. */
const DOT_MM = 0.125
/** The narrowest bar: as wide as there is room, and never narrower than 0.25 mm. */
const MOST_DOTS = 4
const FEWEST_DOTS = 2
const PX_PER_MM = 96 / 25.4
const BARS_HEIGHT_MM = 13

/** The number as Code 128. A number that has other characters or would be wider than the paper has no bars. */
function NumberBars({ number }: { number: string }) {
  const widths = code128(slipCode(number))
  if (!widths) return null
  const room = Math.floor(WIDTH_MM / DOT_MM / barcodeLength(widths, 1))
  if (room < FEWEST_DOTS) return null
  return (
    <Barcode
      widths={widths}
      module={Math.min(room, MOST_DOTS) * DOT_MM * PX_PER_MM}
      height={BARS_HEIGHT_MM * PX_PER_MM}
      label={`Codice a barre dell'ordine ${number}`}
      className="mt-2"
    />
  )
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="mt-2">
      <dt className="text-xs">{term}</dt>
      <dd className="font-medium wrap-anywhere whitespace-pre-line">{children}</dd>
    </div>
  )
}

/** A slip of an order. */
export function OrderSlip({ notes, ...print }: PrintProps & { notes: readonly OrderNote[] }) {
  const { order } = print
  const now = useNow()
  return (
    <Print {...print}>
      <p className="mt-2 text-xs">Ordine</p>
      <p className="text-4xl leading-none font-medium wrap-anywhere tabular-nums">{order.number}</p>
      <NumberBars number={order.number} />
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
    </Print>
  )
}

/** 'Maria De Luca' is 'M. De Luca' for those who see the bag. */
function shortName(name: string): string {
  return name.replace(/^(\p{L})\S*\s+(?=\S)/u, '$1. ')
}

/** A label for the bag, which other customers see: it says nothing of what is in it. */
export function BagLabel(print: PrintProps) {
  const { number, customer } = print.order
  return (
    <Print {...print}>
      <p className="mt-2 text-6xl leading-none font-medium wrap-anywhere tabular-nums">{number}</p>
      <NumberBars number={number} />
      {customer ? (
        <p className="mt-2 text-2xl leading-tight font-medium wrap-anywhere">
          {hideCodes(shortName(customer))}
        </p>
      ) : null}
    </Print>
  )
}
