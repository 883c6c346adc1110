// @ts-check
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './lock.mjs'

/** Bytes that must be free: several times what a whole run of the tests uses at once. */
const ROOM = 4 * 1024 ** 3

/**
 * A new folder for temporary files whose contents are kept in memory. The tests copy whole database clusters, which takes
 * a tenth of the processor time there.
 * @param {string} parent where Linux keeps files in memory
 * @returns {string | undefined} undefined on other systems, without room, and where no program can be started from it
 */
export function memoryFolder(parent = '/dev/shm') {
  /** @type {string | undefined} */
  let folder
  try {
    removeLeftovers(parent)
    const { bavail, bsize } = statfsSync(parent)
    if (Math.min(bavail * bsize, freemem()) < ROOM) return undefined
    folder = mkdtempSync(join(parent, `bancone-test-${process.pid}-`))
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

/** Removes the folders of runs that were killed. @param {string} parent */
function removeLeftovers(parent) {
  for (const name of readdirSync(parent)) {
    const pid = Number(/^bancone-test-(\d+)-/.exec(name)?.[1])
    if (!pid || pid === process.pid || isAlive(pid)) continue
    rmSync(join(parent, name), { recursive: true, force: true })
  }
}
