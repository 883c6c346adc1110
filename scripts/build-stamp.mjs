// @ts-check
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
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
 * @param {string} stamp
 * @param {string} dist
 */
export function isBuilt(stamp, dist) {
  if (readIfThere(join(dist, '.stamp')) !== stamp) return false
  return OUTPUTS.every((file) => existsSync(join(dist, file)))
}
