import { Writable } from 'node:stream'
import pino, { type Logger } from 'pino'
import { logOptions } from '../src/start/logger.ts'

/** A server log that collects its lines. */
export function capturedLog(level: string): { lines: string[]; log: Logger } {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, log: pino(logOptions(level), destination) }
}
