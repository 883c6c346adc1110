/** What is said while PostgreSQL is looked after; a pino logger fits. */
export type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
