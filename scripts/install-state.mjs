// @ts-check
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/**
 * @typedef {object} LockedPackage
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [link]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {boolean} [peer]
 * @property {boolean} [extraneous]
 */
/** @typedef {{ packages?: Record<string, LockedPackage> }} Lockfile */

/**
 * What an install was made from: the lockfile, and the platform its native parts are for.
 * @param {string} lockfileText
 * @param {{ node: string, platform: string, arch: string }} machine
 */
export function installStamp(lockfileText, { node, platform, arch }) {
  const hash = createHash('sha256').update(lockfileText).digest('hex')
  return `${hash} node${node.split('.')[0]} ${platform}-${arch}`
}

/**
 * What is written down after an install.
 * @param {string} stamp
 * @param {boolean} withDev
 */
export function markOf(stamp, withDev) {
  return withDev ? stamp : `${stamp} without dev`
}

/**
 * Why dependencies must be installed, or undefined when they need not be.
 *
 * Without our mark `npm install` may have been run by hand: npm records what it installed, and if that is
 * what the lockfile requires, installing again is not needed.
 * @param {{ wanted: string, withDev: boolean, mark: string | undefined, locked: Lockfile, inPlace: Lockfile | undefined }} state
 */
export function whyInstall({ wanted, withDev, mark, locked, inPlace }) {
  if (!inPlace) return 'they are not there yet'
  const [, lockfile, machine, part] = /^(\S+) (\S+ \S+)( without dev)?$/.exec(mark ?? '') ?? []
  const [wantedLockfile] = wanted.split(' ')
  if (machine !== undefined && `${wantedLockfile} ${machine}` !== wanted) {
    return 'they were installed for another Node or platform'
  }
  if (lockfile === wantedLockfile) {
    return withDev && part ? 'those of checks and tests are not there yet' : undefined
  }
  return agree(locked, inPlace, withDev) ? undefined : 'package-lock.json has changed'
}

/**
 * Optional packages may be missing (they are for other platforms), any other may not.
 * @param {Lockfile} locked
 * @param {Lockfile} inPlace
 * @param {boolean} withDev
 */
function agree(locked, inPlace, withDev) {
  const present = inPlace.packages ?? {}
  return Object.entries(locked.packages ?? {}).every(([path, wanted]) => {
    if (path === '' || (wanted.dev && !withDev)) return true
    const found = present[path]
    if (!found) return wanted.optional === true || wanted.devOptional === true
    return found.version === wanted.version && found.integrity === wanted.integrity
  })
}

/**
 * @param {string} file
 * @returns {string | undefined}
 */
export function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
