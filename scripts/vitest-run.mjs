// @ts-check
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './command.mjs'
import { memoryFolder } from './memory-folder.mjs'
import { runNode, tool } from './tools.mjs'

/** @typedef {import('./test-tally.mjs').VitestReport} VitestReport */

/**
 * Runs Vitest to its end and reads its JSON report.
 * @param {string[]} args after `vitest run`
 * @param {{ show?: boolean, cwd?: string, env?: NodeJS.ProcessEnv }} [options] `cwd` is a checkout
 * @returns {Promise<{ code: number, output: string, report: VitestReport | undefined }>}
 *   `report` is undefined when Vitest wrote none
 */
export async function runVitest(args, { show = false, cwd = ROOT, env = process.env } = {}) {
  const inMemory = memoryFolder()
  const folder = inMemory ?? mkdtempSync(join(tmpdir(), 'bancone-test-'))
  const file = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const outcome = await runNode([tool('vitest'), 'run', ...reporters, ...args], {
    show,
    cwd,
    // Libraries leave out what tests use when the caller's environment says "production".
    env: { ...env, NODE_ENV: 'test', ...(inMemory && { TMPDIR: inMemory }) },
  })
  const report = readReport(file)
  rmSync(folder, { recursive: true, force: true })
  return { ...outcome, report }
}

/**
 * @param {string} file
 * @returns {VitestReport | undefined}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
