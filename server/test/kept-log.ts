import { Writable } from 'node:stream'
import pino, { type Logger } from 'pino'
import { logOptions } from '../src/logger.ts'

/** The server's log, and the lines that are written into it. */
export function keptLog(level: string): { lines: string[]; log: Logger } {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, log: pino(logOptions(level), destination) }
}
