// @ts-check
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './command.mjs'

/** Folders that hold no source: what is installed, built, or left behind by a run. */
const SKIPPED = new Set(['node_modules', 'dist', 'data', 'coverage', 'test-results'])

/** The folders that hold the project's code. */
export const CODE_FOLDERS = ['contract', 'server', 'web', 'sandbox', 'e2e', 'bench', 'scripts']

/**
 * Every file below the folders, as paths from the root with forward slashes, in a fixed order. A
 * folder that is not there holds nothing; a file may be named in place of a folder.
 * @param {string[]} folders
 * @param {string} [root]
 * @returns {string[]}
 */
export function filesBelow(folders, root = ROOT) {
  return folders.flatMap((folder) => walk(folder, root)).sort()
}

/**
 * The code files below the folders: what every checker must have looked at.
 * @param {string[]} [folders]
 * @param {string} [root]
 */
export function codeFiles(folders = CODE_FOLDERS, root = ROOT) {
  return filesBelow(folders, root).filter((file) => /\.(?:ts|tsx|mjs)$/.test(file))
}

/** @param {string} file */
export function isTest(file) {
  return /\.test\.tsx?$/.test(file)
}

/**
 * @param {string} path
 * @returns {string | undefined}
 */
export function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * @param {string} folder
 * @param {string} root
 * @returns {string[]}
 */
function walk(folder, root) {
  const what = statSync(join(root, folder), { throwIfNoEntry: false })
  if (!what?.isDirectory()) return what ? [folder] : []
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isFile()) return [path]
    const skipped = SKIPPED.has(entry.name) || entry.name.startsWith('.')
    return entry.isDirectory() && !skipped ? walk(path, root) : []
  })
}
