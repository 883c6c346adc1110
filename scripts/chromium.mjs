// @ts-check
import './node-version.mjs'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { command, isMain, Stop, say } from './command.mjs'
import { runNode, runProgram, tool } from './tools.mjs'

/** Browsers that come from packages of a system; on Windows and macOS Playwright installs its own. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const SHELL = 'chromium-headless-shell'

/**
 * A Chromium that works, installed if there is none. `CHROMIUM_PATH` decides alone when it is set: a
 * wrong path must be told, not passed over.
 * @returns {Promise<string>}
 */
export async function ensureChromium() {
  const wanted = process.env['CHROMIUM_PATH']
  if (wanted) {
    if (await starts(wanted)) return wanted
    throw new Stop(`CHROMIUM_PATH is ${wanted}, which is no browser that starts.`)
  }
  const found = (await findOnPath(NAMES)) ?? (await findOfPlaywright())
  if (found) return found
  say('No Chromium was found; installing one for the journeys.')
  // Without a font every text is a row of boxes, and boxes have other widths.
  await installWithApt(['chromium', 'fonts-liberation'])
  const installed = (await findOnPath(NAMES)) ?? (await installWithPlaywright())
  if (installed) return installed
  throw new Stop('No Chromium: install it or Google Chrome, or set CHROMIUM_PATH to one.')
}

/**
 * Debian's Chromium without windows, installed where that is possible; otherwise undefined. It takes a seventh of the
 * processor time for a new profile, and has no notifications. `CHROMIUM_PATH` decides for it as well.
 * @returns {Promise<string | undefined>}
 */
export async function ensureHeadlessShell() {
  const found = await findHeadlessShell()
  if (found ?? process.env['CHROMIUM_PATH']) return found
  await installWithApt([SHELL])
  return findHeadlessShell()
}

export async function findHeadlessShell() {
  return process.env['CHROMIUM_PATH'] ? undefined : findOnPath([SHELL])
}

/** @param {string[]} names the likeliest first */
async function findOnPath(names) {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    // One after the other: the first is nearly always right, and starting a browser is not free.
    if (await starts(path)) return path
  }
  return undefined
}

async function findOfPlaywright() {
  const { chromium } = await import('playwright-core')
  try {
    const path = chromium.executablePath()
    return (await starts(path)) ? path : undefined
  } catch {
    // It has none for this system.
    return undefined
  }
}

/** @param {string} path */
async function starts(path) {
  if (!existsSync(path)) return false
  // Chrome for Windows opens a window instead of answering; that the file is there must do.
  if (process.platform === 'win32') return true
  const { code, output } = await runProgram(path, ['--version'])
  return code === 0 && /Chrom/.test(output)
}

/** @param {string[]} packages */
async function installWithApt(packages) {
  const isDebian = process.platform === 'linux' && existsSync('/etc/debian_version')
  if (!isDebian || process.getuid?.() !== 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const install = ['install', '-y', '-qq', '--no-install-recommends', ...packages]
  for (const args of [['update', '-qq'], install]) {
    say(`  apt-get ${args.join(' ')}`)
    const { code, output } = await runProgram('apt-get', args, { env })
    if (code !== 0) say(output.trimEnd().split('\n').slice(-5).join('\n'))
  }
}

async function installWithPlaywright() {
  const withSystemPackages = process.platform === 'linux' && process.getuid?.() === 0
  const args = ['install', ...(withSystemPackages ? ['--with-deps'] : []), 'chromium']
  say(`  playwright-core ${args.join(' ')}`)
  await runNode([tool('playwright-core'), ...args], { show: true })
  return findOfPlaywright()
}

if (isMain(import.meta.url)) await command(async () => say(await ensureChromium()))
