// @ts-check
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from './command.mjs'
import { filesBelow } from './source-files.mjs'

/**
 * A place in the product whose removal a test must notice.
 * @typedef {object} Protection
 * @property {string} name what is protected, as a sentence without a full stop
 * @property {string} file the product file, from the root
 * @property {string} find the text to take out; it occurs exactly once in the file
 * @property {string} replace what stands there instead; the file still compiles
 * @property {string[]} tests the test files that should fail, from the root, the cheapest first
 * @property {string} [only] a regular expression over full test names, where a whole file takes long
 */

/** @typedef {Protection & { area: string }} ListedProtection */

const FOLDERS = ['protections']

/**
 * All protections, each with its area: the reason, which is the name of the list's file.
 * @returns {Promise<ListedProtection[]>}
 */
export async function listProtections() {
  const lists = filesBelow(FOLDERS).map(async (file) => {
    const area = file.slice(file.lastIndexOf('/') + 1).replace('.mjs', '')
    /** @type {{ protections: Protection[] }} */
    const { protections } = await import(pathToFileURL(join(ROOT, file)).href)
    return protections.map((protection) => ({ area, ...protection }))
  })
  return (await Promise.all(lists)).flat()
}

/**
 * The protections of these parts: the name of an area, or else a piece of a product file's path.
 * @param {ListedProtection[]} protections
 * @param {string[]} parts all of them when empty
 */
export function chooseProtections(protections, parts) {
  if (parts.length === 0) return protections
  const areas = new Set(protections.map(({ area }) => area))
  return protections.filter(({ area, file }) =>
    parts.some((part) => (areas.has(part) ? area === part : file.includes(part))),
  )
}

/**
 * The file's text without the protection.
 * @param {Protection} protection
 * @param {string} text
 * @throws {Error} when `find` does not occur exactly once
 */
export function withoutProtection({ name, file, find, replace }, text) {
  const count = text.split(find).length - 1
  if (count !== 1) throw new Error(`“${name}”: its text occurs ${count} times in ${file}`)
  return text.replace(find, () => replace)
}

/**
 * @param {string} file from the root
 * @param {string} [root]
 */
export function readSource(file, root = ROOT) {
  return readFileSync(join(root, file), 'utf8')
}
