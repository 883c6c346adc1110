// @ts-check
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { ROOT, say } from './command.mjs'
import { readIfThere } from './source-files.mjs'

/**
 * Runs `work` while no other process of this checkout does the same: two commands started together
 * must not install or build over each other. A lock left by a process that died is taken over.
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} work
 * @param {string} [folder] where the lock file is kept
 * @returns {Promise<T>}
 */
export async function withLock(name, work, folder = join(ROOT, 'dist')) {
  const file = join(folder, `.${name}.lock`)
  mkdirSync(folder, { recursive: true })
  await acquire(file, name)
  try {
    return await work()
  } finally {
    rmSync(file, { force: true })
  }
}

/**
 * @param {string} file
 * @param {string} name
 */
async function acquire(file, name) {
  let told = false
  while (!create(file)) {
    const owner = ownerOf(file)
    if (owner !== undefined && !isAlive(owner)) {
      discard(file, owner)
      continue
    }
    if (!told) say(`Waiting for another ${name} to end (process ${owner}, in ${file}) …`)
    told = true
    await wait(200)
  }
}

/** @param {string} file */
function create(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * @param {string} file
 * @returns undefined when it has gone, or is only being written
 */
function ownerOf(file) {
  return Number(readIfThere(file)) || undefined
}

/**
 * Renamed before it is removed, so that of two processes which found the same dead lock only one
 * removes it; the other would remove the first one's new lock.
 * @param {string} file
 * @param {number} owner
 */
function discard(file, owner) {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  if (ownerOf(aside) === owner) rmSync(aside, { force: true })
  else renameSync(aside, file)
}

/**
 * Our own number in the file is a leftover too: a restarted container gives the same numbers again.
 * @param {number} pid
 */
export function isAlive(pid) {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
