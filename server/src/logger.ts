import pino, { type Logger, type LoggerOptions } from 'pino'

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
    serializers: { err: errorForLog },
    redact: ['authorization', '*.authorization', 'token', '*.token', 'password', '*.password'],
  }
}

export function errorForLog(error: unknown) {
  if (!(error instanceof Error)) return { message: 'not an error' }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const cause: unknown = error.cause
  return {
    type: error.name,
    message: error.message,
    ...(code && { code }),
    stack: error.stack,
    ...(cause instanceof Error && { cause: { type: cause.name, message: cause.message } }),
  }
}
