// @ts-check
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { ROOT } from './command.mjs'

const WORKSPACES = ['contract', 'server', 'web', 'sandbox', 'e2e']

/** What the copy does not get, besides packages. */
const LEFT_OUT = ['.git', 'data', 'dist']

/**
 * A copy of the checkout as it is now, uncommitted changes included, with links to the installed
 * packages. The workspaces are linked to the copy's own, so that a change to the copy's contract
 * counts in its server.
 * @returns {{ folder: string, dispose(): void }}
 */
export function scratchCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'bancone-scratch-'))
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules' && !LEFT_OUT.includes(relative(ROOT, path)),
  })
  linkPackages(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const name of WORKSPACES) {
    symlinkSync(join(folder, name), join(folder, 'node_modules', '@bancone', name), 'junction')
    const own = join(ROOT, name, 'node_modules')
    if (existsSync(own)) linkPackages(own, join(folder, name, 'node_modules'))
  }
  return { folder, dispose: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * @param {string} from
 * @param {string} to
 */
function linkPackages(from, to) {
  mkdirSync(join(to, '@bancone'), { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    // Caches of tools belong to one checkout.
    const isCache = entry.name.startsWith('.') && entry.isDirectory() && entry.name !== '.bin'
    if (entry.name === '@bancone' || isCache) continue
    symlinkSync(
      join(from, entry.name),
      join(to, entry.name),
      entry.isDirectory() ? 'junction' : 'file',
    )
  }
}
