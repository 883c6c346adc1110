// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './command.mjs'
import { filesBelow, isTest, readIfThere } from './source-files.mjs'

/** Everything that decides what a build gives. */
const INPUTS = [
  'contract/src',
  'server/src',
  'sandbox/src',
  'web/src',
  'web/public',
  'web/scripts',
  'web/index.html',
  'web/offers.html',
  'web/priority.html',
  'web/vite.config.ts',
  'web/vite.public.config.ts',
  'web/vite.priority.config.ts',
  'web/package.json',
  'server/package.json',
  'contract/package.json',
  'sandbox/package.json',
  'web/tsconfig.json',
  'tsconfig.base.json',
  'package-lock.json',
  'scripts/build.mjs',
  'scripts/build-server.mjs',
  'scripts/build-web.mjs',
]

/** What must be there for a build to be of use, whatever its stamp says. */
const OUTPUTS = [
  'server/main.js',
  'web/index.html',
  'ssr/offers.html',
  'ssr/public-pages.js',
  'ssr/priority.html',
  'ssr/priority-pages.js',
]

/**
 * A hash over names and contents. Contents, not times: a clone or a switch of branches changes the
 * times of files and nothing else. Tests are left out, they are in no build.
 * @param {string} [root]
 */
export function sourceStamp(root = ROOT) {
  const hash = createHash('sha256')
  for (const file of filesBelow(INPUTS, root)) {
    if (isTest(file)) continue
    const content = readFileSync(join(root, file))
    hash.update(`${file}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

/**
 * A hash over names, sizes and times, which takes a third of the time of `sourceStamp`. While it is the same, so are the
 * contents: every write of a file sets the time of its last change of state.
 * @param {string} [root]
 */
export function sourceTimes(root = ROOT) {
  const hash = createHash('sha256')
  for (const file of filesBelow(INPUTS, root)) {
    const { ino, size, ctimeNs } = statSync(join(root, file), { bigint: true })
    hash.update(`${file}\0${ino}\0${size}\0${ctimeNs}\0`)
  }
  return hash.digest('hex')
}

/**
 * @param {string} stamp that of the contents or, for `.times`, that of the times
 * @param {string} dist
 * @param {'.stamp' | '.times'} [name]
 */
export function isBuilt(stamp, dist, name = '.stamp') {
  if (readIfThere(join(dist, name)) !== stamp) return false
  return OUTPUTS.every((file) => existsSync(join(dist, file)))
}
