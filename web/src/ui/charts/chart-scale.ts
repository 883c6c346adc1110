import { formatCompactNumber } from '../../lib/format.ts'
import { FONT_SIZE } from './chart-theme.ts'

/** The most intervals between ticks. */
const MAX_INTERVALS = 5

/** The most labels below the axis. */
const MAX_LABELS = 7

/** Mean width of a character, in px. Digits are wider than most letters. */
const CHARACTER = FONT_SIZE * 0.6

/** The height of a line of text below a chart, in px. */
const LABEL_ROW = 24

/** Whole numbers from 0 to the first one that is not below `max`, in steps of 1, 2 or 5 times a power of ten. */
export function niceTicks(max: number): number[] {
  const least = Math.max(1, max / MAX_INTERVALS)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = [1, 2, 5, 10].map((n) => n * power).find((n) => n >= least) ?? least
  const count = Math.max(1, Math.ceil(max / step))
  return Array.from({ length: count + 1 }, (_, i) => i * step)
}

export function textWidth(text: string): number {
  return text.length * CHARACTER
}

/** The positions of a chart with two axes, in px from the top left corner. */
export type Plot = {
  left: number
  right: number
  top: number
  bottom: number
  ticks: readonly number[]
  /** Distance between neighbouring points. */
  step: number
  x: (index: number) => number
  y: (value: number) => number
  /** Index of the point nearest to a horizontal position. */
  indexAt: (x: number) => number
}

type PlotParts = {
  width: number
  height: number
  /** Number of points. */
  count: number
  /** The largest value. */
  max: number
  /** Between the edge of the plot and the first point; undefined for half of the distance between points. */
  inset?: number
}

export function plotOf({ width, height, count, max, inset }: PlotParts): Plot {
  const ticks = niceTicks(max)
  const most = ticks.at(-1) ?? 1
  const left = 8 + Math.max(...ticks.map((tick) => textWidth(formatCompactNumber(tick))))
  const right = width - 4
  const top = 14
  const bottom = height - LABEL_ROW
  const first = inset ?? (right - left) / Math.max(1, count) / 2
  const step = count > 1 ? (right - left - 2 * first) / (count - 1) : 0
  const start = count > 1 ? left + first : (left + right) / 2
  return {
    left,
    right,
    top,
    bottom,
    ticks,
    step,
    x: (index) => start + index * step,
    y: (value) => bottom - (value / most) * (bottom - top),
    indexAt: (x) =>
      step === 0 ? 0 : Math.min(count - 1, Math.max(0, Math.round((x - start) / step))),
  }
}

/** Indexes of the labels that are shown: as many as there is room for, seven at most, at equal distances. */
export function shownLabels(labels: readonly string[], width: number): number[] {
  const widest = Math.max(0, ...labels.map(textWidth)) + 12
  const room = Math.max(1, Math.min(MAX_LABELS, Math.floor(width / widest)))
  const every = Math.max(1, Math.ceil(labels.length / room))
  return labels.flatMap((_, i) => (i % every === 0 ? [i] : []))
}
