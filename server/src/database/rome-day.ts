import { sql } from 'kysely'

/** When the day began that is today in Rome. */
export const startOfToday = sql<string>`date_trunc('day', now() at time zone 'Europe/Rome') at time zone 'Europe/Rome'`
