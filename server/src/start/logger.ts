import pino, { type Logger, type LoggerOptions } from 'pino'
import { isDatabaseUnavailable } from '../database/errors.ts'

/** After so many milliseconds without the same error, the next one counts as a new outage. */
const NEW_OUTAGE_MS = 60_000

/**
 * A logger that writes JSON lines to standard output. Only the name, message, code and stack of an error are logged:
 * PostgreSQL puts the offending values into other fields, and those may be personal data.
 */
export function createLogger(level: string): Logger {
  return pino(logOptions(level))
}

export function logOptions(level: string): LoggerOptions {
  return {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: createErrorSerializer() },
    redact: ['authorization', '*.authorization', 'token', '*.token', 'password', '*.password'],
  }
}

/**
 * Creates the serializer of errors. During a database outage every request fails in the same way, so the stack is logged
 * only for the first error of an outage.
 *
 * @param now the clock, in milliseconds
 */
export function createErrorSerializer(now = () => performance.now()) {
  const lastAt = new Map<string, number>()
  return (error: unknown) => {
    const kept = serializeError(error)
    if (!('type' in kept) || !isDatabaseUnavailable(error)) return kept
    const kind = `${kept.type} ${kept.code}`
    const before = lastAt.get(kind)
    lastAt.set(kind, now())
    const isNew = before === undefined || now() - before > NEW_OUTAGE_MS
    return isNew ? kept : serializeError(error, false)
  }
}

export function serializeError(error: unknown, withStack = true) {
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
