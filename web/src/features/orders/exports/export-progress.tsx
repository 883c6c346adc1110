import { formatNumber } from '../../../lib/format.ts'

/** @param orders null while the number of orders is unknown */
export function ExportProgress({ orders }: { orders: { done: number; total: number } | null }) {
  const share = orders && orders.total > 0 ? Math.min(1, orders.done / orders.total) : 0
  const percent = Math.floor(share * 100)
  const text = orders
    ? `${formatNumber(orders.done)} di ${formatNumber(orders.total)} ordini`
    : 'Preparazione del file…'
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="font-medium">
        Esportazione in corso…
      </p>
      <div
        role="progressbar"
        aria-label="Esportazione degli ordini"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={orders ? percent : undefined}
        aria-valuetext={text}
        className="h-2.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-150"
          style={{ width: `${percent}%` }}
        />
      </div>
      <p className="flex justify-between gap-3 text-sm text-muted tabular-nums">
        <span>{text}</span>
        {orders ? <span>{percent}%</span> : null}
      </p>
      <p className="mt-2 text-sm text-pretty text-muted">
        Puoi chiudere questa finestra e continuare a lavorare: il file si salva da solo. Resta in
        questa scheda del browser.
      </p>
    </div>
  )
}
