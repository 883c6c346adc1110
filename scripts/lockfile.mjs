// @ts-check
// A registry that carries the native parts for some platforms only makes npm leave the others out of
// the lockfile, and `npm ci` then refuses the lockfile, on every platform. This finds what is left
// out for the checks, and as a program puts it in. npm fills in the rest when such a platform installs.
import './node-version.mjs'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, isMain, ROOT, say } from './command.mjs'

/**
 * @typedef {object} Entry
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {boolean} [dev]
 * @property {boolean} [optional]
 * @property {boolean} [devOptional]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [optionalDependencies]
 */
/** @typedef {Record<string, Entry>} Entries */

const FILE = join(ROOT, 'package-lock.json')

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const PROCESSORS = ['arm64', 'x64', 'ia32', 'ppc64', 'riscv64', 's390x', 'arm']

/** @returns {{ packages: Entries }} */
export function readLockfile(file = FILE) {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/**
 * The optional packages that others name and the lockfile does not have.
 * @param {Entries} packages
 * @returns {Entries}
 */
export function leftOut(packages) {
  /** @type {Entries} */
  const missing = {}
  for (const [path, { optionalDependencies = {}, dev }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (!isFound(packages, path, name)) {
        missing[`node_modules/${name}`] = {
          version,
          ...(dev ? { dev } : {}),
          optional: true,
          ...platformOf(name),
        }
      }
    }
  }
  return missing
}

/**
 * Looks where Node would: beside the package that asks, then in each folder above.
 * @param {Entries} packages
 * @param {string} from
 * @param {string} name
 */
function isFound(packages, from, name) {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf('/node_modules/')))) {
    if (packages[`${base}${base ? '/' : ''}node_modules/${name}`]) return true
    if (!base) return false
  }
}

/**
 * Native parts are named for their platform: `@oxlint/binding-linux-arm64-musl`.
 * @param {string} name
 */
function platformOf(name) {
  const words = name.split(/[/-]/)
  const system = SYSTEMS.find((each) => words.includes(each))
  const processor = PROCESSORS.find((each) => words.includes(each))
  const library = /musl/.test(name) ? 'musl' : /gnu/.test(name) ? 'glibc' : undefined
  return {
    ...(processor ? { cpu: [processor] } : {}),
    ...(library ? { libc: [library] } : {}),
    ...(system ? { os: [system] } : {}),
  }
}

if (isMain(import.meta.url)) {
  await command(async () => {
    const lockfile = readLockfile()
    const missing = leftOut(lockfile.packages)
    for (const name of Object.keys(missing)) say(`put in: ${name}`)
    const all = Object.entries({ ...lockfile.packages, ...missing })
    lockfile.packages = Object.fromEntries(all.sort(([a], [b]) => a.localeCompare(b, 'en')))
    writeFileSync(FILE, `${JSON.stringify(lockfile, null, 2)}\n`)
  })
}
