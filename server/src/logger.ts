import pino, { type Logger, type LoggerOptions } from 'pino'
import { isDatabaseUnavailable } from './database/errors.ts'

/** Milliseconds without a failure of its kind after which the database is away anew. */
const NEW_OUTAGE_MS = 60_000

/**
 * Structured lines on standard output. Of an error only its kind, message and stack are written:
 * PostgreSQL puts the offending values into other fields, and those may be a customer's.
 */
export function createLogger(level: string): Logger {
  return pino(logOptions(level))
}

export function logOptions(level: string): LoggerOptions {
  return {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: createErrorForLog() },
    redact: ['authorization', '*.authorization', 'token', '*.token', 'password', '*.password'],
  }
}

/**
 * While the database is away everything fails, and in the same way: where that was is written when it begins,
 * and not with each of thousands of lines.
 *
 * @param now milliseconds
 */
export function createErrorForLog(now = () => performance.now()) {
  const lastAt = new Map<string, number>()
  return (error: unknown) => {
    const kept = errorForLog(error)
    if (!('type' in kept) || !isDatabaseUnavailable(error)) return kept
    const kind = `${kept.type} ${kept.code}`
    const before = lastAt.get(kind)
    lastAt.set(kind, now())
    const isNew = before === undefined || now() - before > NEW_OUTAGE_MS
    return isNew ? kept : errorForLog(error, false)
  }
}

export function errorForLog(error: unknown, withStack = true) {
  if (!(error instanceof Error)) return { message: 'not an error' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause: unknown = error.cause
  return {
    type: error.name,
    message: error.message,
    ...(code && { code }),
    ...(withStack && { stack: error.stack }),
    ...(cause instanceof Error && { cause: { type: cause.name, message: cause.message } }),
  }
}
