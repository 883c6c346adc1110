/** The logger of the supervision; a pino logger is compatible. */
export type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
