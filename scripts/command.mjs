// @ts-check
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the project, whatever the working directory is. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Something a person can act on: shown as one line, without a stack. */
export class Stop extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message)
    this.name = 'Stop'
  }
}

/** @param {string} line */
export function say(line) {
  process.stdout.write(`${line}\n`)
}

/** @param {number} since a `performance.now()` */
export function secondsSince(since) {
  return `${((performance.now() - since) / 1000).toFixed(1)} s`
}

/**
 * Is this module the one that was started, rather than imported by another?
 * @param {string} moduleUrl
 */
export function isMain(moduleUrl) {
  const started = process.argv[1]
  // Node resolves links for a module's address, and not for the argument.
  return started !== undefined && realpathSync(started) === fileURLToPath(moduleUrl)
}

/**
 * Runs a command's work and turns an error into a line and an exit code.
 * @param {() => Promise<void>} work
 */
export async function command(work) {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`)
    process.exitCode = 1
  }
}

/** @param {unknown} error */
export function describe(error) {
  if (error instanceof Stop) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
