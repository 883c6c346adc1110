// @ts-check
import './node-version.mjs'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBuilt, sourceStamp, sourceTimes } from './build-stamp.mjs'
import { command, isMain, ROOT, say, secondsSince } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { withLock } from './lock.mjs'

const DIST = join(ROOT, 'dist')
const PARTS = ['server', 'web', 'ssr']

/** Builds if the sources differ from those of the last build; otherwise does nothing. */
export async function ensureBuilt() {
  const times = sourceTimes()
  if (isBuilt(times, DIST, '.times')) return
  if (isBuilt(sourceStamp(), DIST)) return keepTimes(times)
  await withLock('build', async () => {
    // Asked again: while we waited, another process may have done it.
    if (!isBuilt(sourceStamp(), DIST)) await build()
  })
}

async function build() {
  const started = performance.now()
  say('Building the server and the web app …')
  // Taken before the work: a file saved meanwhile makes the next start build again.
  const times = sourceTimes()
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
  keepTimes(times)
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
  for (const name of ['.stamp', '.times']) rmSync(join(DIST, name), { force: true })
  for (const part of PARTS) {
    const old = join(DIST, `${part}.old`)
    rmSync(old, { recursive: true, force: true })
    if (existsSync(join(DIST, part))) renameSync(join(DIST, part), old)
    renameSync(next(part), join(DIST, part))
    rmSync(old, { recursive: true, force: true })
  }
  writeFileSync(join(DIST, '.stamp'), stamp)
}

/**
 * Notes the times of sources whose build is there. If `dist` cannot be written to, each start hashes the contents.
 * @param {string} times
 */
function keepTimes(times) {
  try {
    writeFileSync(join(DIST, '.times'), times)
  } catch {
    // Then `.stamp` decides at the next start.
  }
}

if (isMain(import.meta.url)) {
  await command(async () => {
    await ensureInstalled({ withDev: false })
    await withLock('build', build)
  })
}
