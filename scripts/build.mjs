// @ts-check
import './node-version.mjs'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isBuilt, sourceStamp } from './build-stamp.mjs'
import { command, isMain, ROOT, say, secondsSince } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { withLock } from './lock.mjs'

const DIST = join(ROOT, 'dist')
const PARTS = ['server', 'web']

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
  const next = join(DIST, '.next')
  rmSync(next, { recursive: true, force: true })
  mkdirSync(next, { recursive: true })
  await step('server', async () => {
    const { buildServer } = await import('./build-server.mjs')
    await buildServer(join(next, 'server'))
  })
  await step('web app', async () => {
    const { buildWeb } = await import('./build-web.mjs')
    await buildWeb(join(next, 'web'))
  })
  swap(next, stamp)
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
 * Puts the new build in the old one's place. The stamp goes first and comes back last, so a build
 * that was interrupted in between is not taken for a good one.
 * @param {string} next
 * @param {string} stamp
 */
function swap(next, stamp) {
  rmSync(join(DIST, '.stamp'), { force: true })
  const old = join(DIST, '.old')
  rmSync(old, { recursive: true, force: true })
  mkdirSync(old)
  for (const part of PARTS) {
    if (existsSync(join(DIST, part))) renameSync(join(DIST, part), join(old, part))
    renameSync(join(next, part), join(DIST, part))
  }
  writeFileSync(join(DIST, '.stamp'), stamp)
  rmSync(old, { recursive: true, force: true })
  rmSync(next, { recursive: true, force: true })
}

if (isMain(import.meta.url)) {
  await command(async () => {
    await ensureInstalled()
    await withLock('build', build)
  })
}
