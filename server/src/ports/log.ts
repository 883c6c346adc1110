/** A logger, such as that of pino. Who logs takes the levels that it needs. */
export type Log = {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}
