// @ts-check
import { execFileSync } from 'node:child_process'
import { cruise } from './check-dependencies.mjs'
import { ROOT } from './command.mjs'
import { listProtections } from './protection-list.mjs'
import { isTest } from './source-files.mjs'

/** @typedef {{ source: string, dependencies: { resolved: string }[] }} Module */

/** How many imports may lie between a changed file and a test that is chosen for it. */
const REACH = 2

/**
 * What puts everything together. Through these every test imports every file; what they pass on is not
 * followed.
 */
const COMPOSITION = [
  /^server\/src\/(?:app|server|main|wiring[a-z-]*)\.ts$/,
  /^server\/test\/server\.ts$/,
  /^contract\/src\/api\.ts$/,
  /^web\/src\/app\/(?:router|providers)\.tsx$/,
  /^web\/test\/render-app\.tsx$/,
]

/**
 * Files that differ from where this branch left `main`, uncommitted and new ones included. On `main`
 * itself they differ from what was pushed or, without a remote, from the last commit.
 */
export function changedFiles() {
  const isMain = git('rev-parse', '--abbrev-ref', 'HEAD')[0] === 'main'
  const main = isMain ? '@{upstream}' : 'main'
  const base = git('merge-base', 'HEAD', main)[0] ?? 'HEAD'
  const changed = git('diff', '--name-only', '--diff-filter=d', base)
  return [...new Set([...changed, ...git('ls-files', '--others', '--exclude-standard')])]
}

/**
 * The tests that a change is likely to break: those that changed, those of the same folder, those that
 * import a changed file directly or through one other, and those that guard a protection in it.
 * @param {string[]} changed
 * @param {string[]} tests every test file there is
 */
export async function affectedTests(changed, tests) {
  const [{ modules }, protections] = await Promise.all([cruise(), listProtections()])
  const guards = protections.filter(({ file }) => changed.includes(file))
  const found = new Set([
    ...importersOf(changed, modules).filter(isTest),
    ...guards.flatMap((protection) => protection.tests),
    ...tests.filter((test) => changed.some((file) => folderOf(file) === folderOf(test))),
  ])
  return tests.filter((test) => found.has(test))
}

/**
 * The files that import one of these within the reach, and these themselves.
 * @param {string[]} files
 * @param {Module[]} modules
 */
export function importersOf(files, modules) {
  /** @type {Map<string, string[]>} */
  const importers = new Map()
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      importers.set(resolved, [...(importers.get(resolved) ?? []), source])
    }
  }
  const found = new Set(files)
  let edge = files
  for (let step = 0; step < REACH; step += 1) {
    edge = edge
      .filter((file) => !COMPOSITION.some((pattern) => pattern.test(file)))
      .flatMap((file) => importers.get(file) ?? [])
      .filter((file) => !found.has(file))
    for (const file of edge) found.add(file)
  }
  return [...found]
}

/** @param {string} file */
function folderOf(file) {
  return file.slice(0, file.lastIndexOf('/'))
}

/** @param {string[]} args */
function git(...args) {
  try {
    /** @type {import('node:child_process').ExecFileSyncOptions} */
    const options = { cwd: ROOT, stdio: ['ignore', 'pipe', 'ignore'] }
    return String(execFileSync('git', args, options))
      .split('\n')
      .filter(Boolean)
  } catch {
    // A clone without that branch, say.
    return []
  }
}
