import { formatNumber } from '../../lib/format.ts'

/** How many rows are done. */
export function ImportProgress({ done, total }: { done: number; total: number }) {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  const text = `${formatNumber(done)} di ${formatNumber(total)} righe`
  return (
    <div className="flex flex-col gap-2">
      <div
        role="progressbar"
        aria-label="Importazione delle farmacie"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={text}
        className="h-2.5 overflow-hidden rounded-full bg-line"
      >
        <div
          className="h-full rounded-full bg-accent transition-[width] duration-150 motion-reduce:transition-none"
          style={{ width: `${percent}%` }}
        />
      </div>
      <p className="flex justify-between gap-3 text-sm text-muted tabular-nums">
        <span>{text}</span>
        <span>{percent}%</span>
      </p>
    </div>
  )
}
