// @ts-check
import './node-version.mjs'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { command, isMain, ROOT, Stop, say, secondsSince } from './command.mjs'
import { installStamp, markOf, readIfThere, whyInstall } from './install-state.mjs'
import { withLock } from './lock.mjs'
import { runProgram } from './tools.mjs'

const MARK = join(ROOT, 'node_modules', '.bancone-install')

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
  const lockfile = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const { node } = process.versions
  const wanted = installStamp(lockfile, { node, platform: process.platform, arch: process.arch })
  const mark = readIfThere(MARK)
  // What npm itself writes down about what it put in place.
  const hidden = readIfThere(join(ROOT, 'node_modules', '.package-lock.json'))
  const reason = whyInstall({
    wanted,
    withDev,
    mark,
    locked: JSON.parse(lockfile),
    inPlace: hidden === undefined ? undefined : JSON.parse(hidden),
  })
  if (!reason && mark === undefined) writeFileSync(MARK, markOf(wanted, withDev))
  return reason
}

/**
 * @param {string} reason
 * @param {boolean} withDev
 */
async function install(reason, withDev) {
  const started = performance.now()
  say(`Installing dependencies: ${reason}. A minute or two the first time.`)
  const ticking = setInterval(() => say(`  … ${secondsSince(started)}`), 15_000)
  const { code } = await npm([
    'ci',
    withDev ? '--include=dev' : '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ])
  clearInterval(ticking)
  if (code !== 0) {
    throw new Stop('Dependencies could not be installed (npm ci failed, its reason is above).')
  }
  rmSync(MARK, { force: true })
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
