// @ts-check
import './node-version.mjs'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBuilt, sourceStamp } from './build-stamp.mjs'
import { command, isMain, ROOT, say, secondsSince } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { withLock } from './lock.mjs'

const DIST = join(ROOT, 'dist')
const PARTS = ['server', 'web', 'ssr']

/** Builds if the sources differ from those of the last build; otherwise does nothing. */
export async function ensureBuilt() {
  if (isBuilt(sourceStamp(), DIST)) return
  await withLock('build', async () => {
    // Asked again: while we waited, another process may have done it.
    if (!isBuilt(sourceStamp(), DIST)) await build()
  })
}

async function build() {
  const started = performance.now()
  say('Building the server and the web app …')
  // Taken before the work: a file saved meanwhile makes the next start build again.
  const stamp = sourceStamp()
  for (const part of PARTS) rmSync(next(part), { recursive: true, force: true })
  mkdirSync(DIST, { recursive: true })
  const server = step('server', async () => {
    const { buildServer } = await import('./build-server.mjs')
    await buildServer(next('server'))
  })
  const web = step('web app', async () => {
    const { buildWeb } = await import('./build-web.mjs')
    await buildWeb(next('web'), next('ssr'))
  })
  // Both are over before anything is said of either: nothing writes into a folder of the next build.
  for (const part of await Promise.allSettled([server, web])) {
    if (part.status === 'rejected') throw part.reason
  }
  swap(stamp)
  say(`Built in ${secondsSince(started)}.`)
}

/**
 * @param {string} name
 * @param {() => Promise<void>} work
 */
async function step(name, work) {
  const started = performance.now()
  await work()
  say(`  ${name} (${secondsSince(started)})`)
}

/**
 * Where a part is built: beside its place and as deep, since source maps hold relative paths.
 * @param {string} part
 */
function next(part) {
  return join(DIST, `${part}.next`)
}

/**
 * Puts the new build in the old one's place. The stamp goes first and comes back last, so a build
 * that was interrupted in between is not taken for a good one.
 * @param {string} stamp
 */
function swap(stamp) {
  rmSync(join(DIST, '.stamp'), { force: true })
  for (const part of PARTS) {
    const old = join(DIST, `${part}.old`)
    rmSync(old, { recursive: true, force: true })
    if (existsSync(join(DIST, part))) renameSync(join(DIST, part), old)
    renameSync(next(part), join(DIST, part))
    rmSync(old, { recursive: true, force: true })
  }
  writeFileSync(join(DIST, '.stamp'), stamp)
}

if (isMain(import.meta.url)) {
  await command(async () => {
    await ensureInstalled({ withDev: false })
    await withLock('build', build)
  })
}
