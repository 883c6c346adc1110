// @ts-check
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ROOT } from './command.mjs'
import { isAlive } from './lock.mjs'
import { runNode, tool } from './tools.mjs'

/** @typedef {import('./test-tally.mjs').VitestReport} VitestReport */

/** Where Linux keeps files in memory. */
const SHARED_MEMORY = '/dev/shm'

/** Bytes that must be free: several times what a whole run of the tests uses at once. */
const ROOM = 4 * 1024 ** 3

/**
 * Runs Vitest to its end and reads its JSON report.
 * @param {string[]} args after `vitest run`
 * @param {{ show?: boolean, cwd?: string }} [options] `cwd` is a checkout
 * @returns {Promise<{ code: number, output: string, report: VitestReport | undefined }>}
 *   `report` is undefined when Vitest wrote none
 */
export async function runVitest(args, { show = false, cwd = ROOT } = {}) {
  const inMemory = memoryFolder()
  const folder = inMemory ?? mkdtempSync(join(tmpdir(), 'bancone-test-'))
  const file = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const outcome = await runNode([tool('vitest'), 'run', ...reporters, ...args], {
    show,
    cwd,
    // Libraries leave out what tests use when the caller's environment says "production".
    env: { ...process.env, NODE_ENV: 'test', ...(inMemory && { TMPDIR: inMemory }) },
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

/**
 * A new folder for temporary files whose contents are kept in memory. The tests copy whole database clusters, which takes
 * a tenth of the processor time there.
 * @returns {string | undefined} undefined on other systems, without room, and where no program can be started from it
 */
function memoryFolder() {
  /** @type {string | undefined} */
  let folder
  try {
    removeLeftovers()
    const { bavail, bsize } = statfsSync(SHARED_MEMORY)
    if (Math.min(bavail * bsize, freemem()) < ROOM) return undefined
    folder = mkdtempSync(join(SHARED_MEMORY, `bancone-test-${process.pid}-`))
    // The tests start programs as another account when they run as root.
    chmodSync(folder, 0o1777)
    const program = join(folder, 'true')
    copyFileSync('/bin/true', program)
    execFileSync(program)
    return folder
  } catch {
    if (folder) rmSync(folder, { recursive: true, force: true })
    return undefined
  }
}

/** Removes the folders of runs that were killed. */
function removeLeftovers() {
  for (const name of readdirSync(SHARED_MEMORY)) {
    const pid = Number(/^bancone-test-(\d+)-/.exec(name)?.[1])
    if (!pid || pid === process.pid || isAlive(pid)) continue
    rmSync(join(SHARED_MEMORY, name), { recursive: true, force: true })
  }
}
