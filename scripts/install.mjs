// @ts-check
import './node-version.mjs'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { command, isMain, ROOT, Stop, say, secondsSince } from './command.mjs'
import { withLock } from './lock.mjs'
import { readLockfile } from './lockfile.mjs'
import { runProgram } from './tools.mjs'

/** @typedef {import('./lockfile.mjs').Entries} Entries */

/**
 * Installs dependencies if they are missing or the lockfile has changed; otherwise does nothing.
 * @param {{ withDev?: boolean }} [options] `withDev`: also what only checks and tests need
 */
export async function ensureInstalled({ withDev = true } = {}) {
  if (!installReason(withDev)) return
  await withLock('install', async () => {
    // Asked again: while we waited, another process may have done it.
    const reason = installReason(withDev)
    if (reason) await install(reason, withDev)
  })
}

/** @param {boolean} withDev */
function installReason(withDev) {
  const { packages } = readLockfile()
  // What npm itself writes down, at the end of an installation, about what it put in place.
  const file = join(ROOT, 'node_modules', '.package-lock.json')
  const inPlace = existsSync(file) ? readLockfile(file).packages : undefined
  return whyInstall(packages, inPlace, {
    withDev,
    platform: process.platform,
    arch: process.arch,
  })
}

/**
 * Why dependencies must be installed, or undefined when they need not be.
 * @param {Entries} locked
 * @param {Entries | undefined} inPlace
 * @param {{ withDev: boolean, platform: string, arch: string }} machine
 */
export function whyInstall(locked, inPlace, { withDev, platform, arch }) {
  if (!inPlace) return 'they are not there yet'
  const isForeign = Object.values(inPlace).some(
    ({ os, cpu }) => os?.includes(platform) === false || cpu?.includes(arch) === false,
  )
  if (isForeign) return 'they were installed for another platform'
  const isComplete = Object.entries(locked).every(([path, wanted]) => {
    if (path === '' || (wanted.dev && !withDev)) return true
    const found = inPlace[path]
    // Those for other platforms are not installed.
    if (!found) return wanted.optional === true || wanted.devOptional === true
    return found.version === wanted.version && found.integrity === wanted.integrity
  })
  return isComplete ? undefined : 'some of package-lock.json are missing'
}

/**
 * @param {string} reason
 * @param {boolean} withDev
 */
async function install(reason, withDev) {
  const started = performance.now()
  say(`Installing dependencies: ${reason}. A minute or two the first time.`)
  const part = withDev ? '--include=dev' : '--omit=dev'
  const { code } = await npm(['ci', part, '--no-audit', '--no-fund', '--loglevel=error'])
  if (code !== 0) {
    throw new Stop('Dependencies could not be installed (npm ci failed, its reason is above).')
  }
  if (installReason(withDev))
    throw new Stop('npm ci ended well but packages are missing: run npm ci by hand.')
  say(`Dependencies are installed (${secondsSince(started)}).`)
}

/** @param {string[]} args */
function npm(args) {
  const env = npmEnvironment(process.env)
  // Under `npm start` this names the npm that runs us; else the one on the PATH, a .cmd on Windows.
  const runner = process.env['npm_execpath']
  if (runner && basename(runner) === 'npm-cli.js') {
    return runProgram(process.execPath, [runner, ...args], { show: true, env })
  }
  return runProgram('npm', args, { show: true, env, shell: process.platform === 'win32' })
}

/**
 * An npm inside an npm inherits the outer one's options as variables. Those that choose a folder or
 * leave packages out would break this install, which is always of the whole project.
 * @param {NodeJS.ProcessEnv} env
 */
export function npmEnvironment(env) {
  const unwanted =
    /^npm_config_(prefix|local_prefix|global|location|omit|only|production|workspaces?|include_workspace_root|dry_run|package_lock_only)$/i
  return Object.fromEntries(Object.entries(env).filter(([name]) => !unwanted.test(name)))
}

if (isMain(import.meta.url)) await command(() => ensureInstalled())
