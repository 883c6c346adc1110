// @ts-check
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, Stop } from './command.mjs'
import { codeFiles, isTest } from './source-files.mjs'

/** @typedef {{ index: number, count: number }} Shard one of `count` machines, from 1 */

/**
 * What `npm test` was asked for.
 * @typedef {object} Request
 * @property {string[]} filters parts of the paths of test files; none: all of them
 * @property {Shard | undefined} shard
 * @property {boolean} changed only what the change since `main` touches
 */

/**
 * @param {string[]} args
 * @returns {Request}
 * @throws {Stop} for an option that is not known, and for a shard that does not exist
 */
export function parseRequest(args) {
  /** @type {Request} */
  const request = { filters: [], shard: undefined, changed: false }
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--changed') request.changed = true
    else if (arg === '--shard') request.shard = parseShard(rest.shift() ?? '')
    else if (arg.startsWith('--shard=')) request.shard = parseShard(arg.slice('--shard='.length))
    else if (arg.startsWith('-')) throw new Stop(`npm test does not know the option ${arg}.`)
    else request.filters.push(arg)
  }
  return request
}

/** @param {string} text */
function parseShard(text) {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? []
  if (!index || !count || index > count) {
    throw new Stop(`--shard takes a part and their number, such as 1/3, not '${text}'.`)
  }
  return { index, count }
}

/** Every test file, from the root. */
export function testFiles() {
  return codeFiles().filter(isTest)
}

/** @param {string} file */
export function isJourney(file) {
  return file.startsWith('e2e/')
}

/**
 * A shard's part of a list. Each kind of test is dealt out by size, so that the shards take about as long.
 * @param {string[]} files
 * @param {Shard} shard
 * @param {(file: string) => number} [sizeOf]
 */
export function shardOf(files, { index, count }, sizeOf = bytesOf) {
  const kind = (/** @type {string} */ file) => file.slice(0, file.indexOf('/'))
  const dealt = files.toSorted(
    (a, b) => kind(a).localeCompare(kind(b)) || sizeOf(b) - sizeOf(a) || a.localeCompare(b),
  )
  return dealt.filter((_, n) => n % count === index - 1)
}

/** @param {string} file */
function bytesOf(file) {
  return statSync(join(ROOT, file)).size
}
