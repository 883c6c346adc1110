import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import type { ChartTable } from './chart-data.ts'
import { FONT_SIZE } from './chart-theme.ts'
import type { Chart } from './use-chart.ts'

/** A value of a chart in words. */
export type Readout = {
  title: string
  lines: readonly { name: string; text: string; swatch?: ReactNode }[]
  notes?: readonly string[]
}

/** A row of the table in words. */
export function rowReadout(
  { columns, rows }: ChartTable,
  index: number,
  swatch: (index: number) => ReactNode,
): Readout {
  const row = rows[index]
  return {
    title: row?.head ?? '',
    lines: columns.map((name, k) => ({ name, text: row?.cells[k] ?? '', swatch: swatch(k) })),
    notes: row?.notes ?? [],
  }
}

function spoken({ title, lines, notes = [] }: Readout): string {
  const values = lines.map(({ name, text }) => `${name} ${text}`).join(', ')
  return [`${title}: ${values}`, ...notes].join('. ')
}

type ChartPlotProps = {
  title: string
  chart: Chart
  /** Values in a row, if there are rows: the vertical arrow keys move between them. */
  rowLength?: number
  /** Of the drawing. */
  height: number
  /** Index of the value at a position in the drawing, or null. */
  indexAt: (x: number, y: number) => number | null
  /** Position of a value, beside which the tooltip stands. */
  position: (index: number) => { x: number; y: number }
  readout: (index: number) => Readout
  /** The drawing. */
  children: ReactNode
}

/**
 * Shows single values of a drawing to mouse, touch and keyboard.
 *
 * The drawing is hidden from assistive technology. Its text alternatives are the sentence of the figure and the table;
 * an image with the same sentence would only repeat it. The single values are a native slider without a look of its
 * own: one tab stop, which every screen reader can move, also by gestures, and whose value it announces as text when it
 * changes. A live region would announce the value a second time.
 */
export function ChartPlot(props: ChartPlotProps) {
  const { title, chart, rowLength, height, readout, children } = props
  const { box, count, width, at, shown, show, reset } = chart

  function onKeyDown(event: KeyboardEvent) {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: 1,
      ArrowLeft: -1,
      ArrowUp: rowLength === undefined ? 1 : -rowLength,
      ArrowDown: rowLength ?? -1,
      Home: -at,
      End: count - 1 - at,
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    const next = at + move
    show(next >= 0 && next < count ? next : at)
  }

  function onPointer({ clientX, clientY, currentTarget }: PointerEvent) {
    const {
      left,
      top,
      width: shownWidth,
      height: shownHeight,
    } = currentTarget.getBoundingClientRect()
    const x = ((clientX - left) * width) / shownWidth
    const y = ((clientY - top) * height) / shownHeight
    const index = count === 0 ? null : props.indexAt(x, y)
    if (index === null) reset()
    else show(index)
  }

  return (
    // The slider inside is the control for the keyboard.
    <div
      ref={box}
      className="relative touch-pan-y rounded-sm outline-offset-4 has-focus-visible:outline-2 has-focus-visible:outline-(--c-focus)"
      onPointerDown={onPointer}
      onPointerMove={onPointer}
      onPointerCancel={reset}
      // After a touch the value stays until the next one.
      onPointerLeave={({ pointerType }) => {
        if (pointerType !== 'touch') reset()
      }}
    >
      <svg
        aria-hidden
        className="block h-auto w-full tabular-nums"
        viewBox={`0 0 ${width} ${height}`}
        fontSize={FONT_SIZE}
      >
        {children}
      </svg>
      {count === 0 ? (
        <p className="absolute inset-0 grid place-items-center pb-6 text-sm text-muted">
          Nessun dato
        </p>
      ) : (
        <input
          type="range"
          className="pointer-events-none absolute inset-0 size-full opacity-0 print:hidden"
          aria-label={`Valori: ${title}`}
          aria-valuetext={spoken(readout(at))}
          min={0}
          max={count - 1}
          value={at}
          onChange={({ target }) => show(Number(target.value))}
          onKeyDown={onKeyDown}
          onFocus={() => show(at)}
          onBlur={reset}
        />
      )}
      {shown === null ? null : (
        <Tooltip readout={readout(shown)} position={props.position(shown)} width={width} />
      )}
    </div>
  )
}

type TooltipProps = { readout: Readout; position: { x: number; y: number }; width: number }

/** Drawings narrower than this have no room for a tooltip beside a value. In px. */
const NARROW = 480
const MAX_TOOLTIP = 320
const GAP = 12

/** Beside the value, where there is more room; on a phone above the drawing, where no finger covers it. */
function place({ x, y }: TooltipProps['position'], width: number): CSSProperties {
  if (width < NARROW) return { left: 0, right: 0, bottom: '100%' }
  const isRight = x < width / 2
  const room = (isRight ? width - x : x) - GAP
  const side = isRight ? { left: x + GAP } : { right: width - x + GAP }
  return { ...side, top: y, width: 'max-content', maxWidth: Math.min(room, MAX_TOOLTIP) }
}

function Tooltip({ readout: { title, lines, notes = [] }, position, width }: TooltipProps) {
  return (
    <div
      aria-hidden
      style={place(position, width)}
      className="pointer-events-none absolute z-10 rounded-control border border-line bg-surface px-3 py-2 text-xs shadow-float print:hidden"
    >
      <p className="font-medium">{title}</p>
      {lines.map(({ name, text, swatch }, k) => (
        <p key={k} className="mt-1 flex items-center gap-1.5">
          {swatch}
          <span className="min-w-0 flex-1 break-words text-muted">{name}</span>
          <span className="pl-3 font-medium tabular-nums">{text}</span>
        </p>
      ))}
      {notes.map((note, k) => (
        <p key={k} className="mt-1.5 border-t border-line pt-1.5 break-words">
          {note}
        </p>
      ))}
    </div>
  )
}
