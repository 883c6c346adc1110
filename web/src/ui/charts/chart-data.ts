import { formatNumber } from '../../lib/format.ts'

/** One position on the horizontal axis of a chart. */
export type ChartPoint = {
  /**
   * On the axis, for example '12 mag'. Two points can have the same label: the day on which summer time ends has the
   * hour from 2 to 3 twice.
   */
  label: string
  /** In the tooltip and the table, for example 'martedì 12 maggio'. */
  longLabel: string
  /** One value for each series, zero or more; null where it is unknown. */
  values: readonly (number | null)[]
  /** The time of the point has not ended: its values still grow. */
  isRunning?: boolean
}

export type ChartSeries = {
  name: string
  /** The values of the period before, which line charts draw thinner and without a colour of their own. */
  isPrevious?: boolean
}

/** An event that a line chart marks at a point. */
export type ChartNote = { index: number; text: string }

/** What every chart shows beside its picture. */
export type ChartTexts = {
  title: string
  /** What the chart shows, in one sentence. */
  summary: string
}

/** The values of a chart as texts. */
export type ChartTable = {
  /** Head of the first column. */
  head: string
  columns: readonly string[]
  rows: readonly ChartRow[]
}

type ChartRow = {
  head: string
  cells: readonly string[]
  /** The texts of the notes at the point. */
  notes?: readonly string[]
}

/** 'n/d' where the value is unknown. */
export function valueText(value: number | null | undefined): string {
  return value === null || value === undefined ? 'n/d' : formatNumber(value)
}

/** A row for each point, a column for each series. */
export function tableOf(
  head: string,
  series: readonly ChartSeries[],
  points: readonly ChartPoint[],
  notes: readonly ChartNote[] = [],
): ChartTable {
  return {
    head,
    columns: series.map(({ name }) => name),
    rows: points.map(({ longLabel, values }, i) => ({
      head: longLabel,
      cells: series.map((_, k) => valueText(values[k])),
      notes: notes.filter(({ index }) => index === i).map(({ text }) => text),
    })),
  }
}

/** The sum of the known values; null if all are unknown. */
export function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
