// @ts-check
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT } from './command.mjs'

const WORKSPACES = ['contract', 'server', 'web', 'sandbox', 'e2e']

/**
 * A copy of the checkout as it is now, uncommitted changes included, with links to the installed
 * packages. The workspaces are linked to the copy's own, so that a change to the copy's contract
 * counts in its server.
 * @returns {{ folder: string, dispose(): void }}
 */
export function scratchCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'bancone-scratch-'))
  for (const file of gitFiles()) {
    // A file that was deleted and not committed is still listed.
    if (!existsSync(join(ROOT, file))) continue
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(folder, file))
  }
  linkPackages(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const name of WORKSPACES) {
    symlinkSync(join(folder, name), join(folder, 'node_modules', '@bancone', name), 'junction')
    const own = join(ROOT, name, 'node_modules')
    if (existsSync(own)) linkPackages(own, join(folder, name, 'node_modules'))
  }
  return { folder, dispose: () => rmSync(folder, { recursive: true, force: true }) }
}

function gitFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean)
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
