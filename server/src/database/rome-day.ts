import { sql } from 'kysely'

/** When the day began that is today in Rome. */
export const startOfToday = sql<string>`rome_midnight(rome_day(now()))`
