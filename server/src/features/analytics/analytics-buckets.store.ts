import type { Day } from '@bancone/contract/dates'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/database.ts'

/** Days in Rome, both included. */
export type Days = { from: Day; to: Day }

/** Days, of which the last one may count until a time only: ISO 8601, null for the whole day. */
export type Span = Days & { until: string | null }

/** The figures of the days of a span, and those of the hours where it is a single day. Nothing is left out of `hours`. */
export type Figures<OfDay, OfHour> = { days: OfDay[]; hours: OfHour[] | null }

/** Reads the figures of a pharmacy's spans as they are at one time. */
export type ReadFigures<OfDay, OfHour> = (
  pharmacyId: string,
  spans: readonly Span[],
) => Promise<Figures<OfDay, OfHour>[]>

export const isSingleDay = ({ from, to }: Days) => from === to

/** The beginning of the first day, and the end of the last one. */
export const beginningOf = ({ from }: Days) => sql<string>`rome_midnight(${from}::date)`
export const endOf = ({ to }: Days) => sql<string>`rome_midnight(${to}::date + 1)`

/** A table of all days, with the columns `day` and `at`, its beginning. */
export const eachDay = ({ from, to }: Days): RawBuilder<unknown> => sql`(
  select day::date as day, rome_midnight(day::date) as at
  from generate_series(${from}::date, ${to}::date, interval '1 day') as day
)`

/** A table of all hours, with the column `at`: a day has 23 or 25 when the clocks change. */
export const eachHour = (span: Days): RawBuilder<unknown> => sql`(
  select at from generate_series(${beginningOf(span)}, ${endOf(span)} - interval '1 hour', interval '1 hour') as at
)`

/** The beginning of the bucket of a time, as in `eachDay` and `eachHour`. */
export const bucketOf = {
  day: (time: RawBuilder<unknown>) => sql`rome_midnight(rome_day(${time}))`,
  hour: (time: RawBuilder<unknown>) => sql`date_trunc('hour', ${time}, 'UTC')`,
} as const

export type Unit = keyof typeof bucketOf

type Queries<OfDay, OfHour> = {
  days(tx: Database, pharmacyId: string, span: Span): Promise<OfDay[]>
  hours(tx: Database, pharmacyId: string, day: Days): Promise<OfHour[]>
  /** What of the last day of a span had happened until that time. */
  lastDayUntil(tx: Database, pharmacyId: string, span: Span, until: string): Promise<Partial<OfDay>>
}

/** Reads figures with these queries, all of which see the same state of the database. */
export function figuresReader<OfDay extends object, OfHour>(
  db: Database,
  { days, hours, lastDayUntil }: Queries<OfDay, OfHour>,
): ReadFigures<OfDay, OfHour> {
  async function read(tx: Database, pharmacyId: string, span: Span) {
    const found = await days(tx, pharmacyId, span)
    const last = found.pop()
    if (last) {
      const cut = span.until && (await lastDayUntil(tx, pharmacyId, span, span.until))
      found.push({ ...last, ...cut })
    }
    return { days: found, hours: isSingleDay(span) ? await hours(tx, pharmacyId, span) : null }
  }

  return (pharmacyId, spans) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        const figures = []
        for (const span of spans) figures.push(await read(tx, pharmacyId, span))
        return figures
      })
}
