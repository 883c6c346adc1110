// @ts-check
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]

const MAC = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]

const WINDOWS = [
  String.raw`Google\Chrome\Application\chrome.exe`,
  String.raw`Chromium\Application\chrome.exe`,
  String.raw`Microsoft\Edge\Application\msedge.exe`,
]

/**
 * Where a browser may be, the likeliest first: what is on the PATH, then where each system puts it.
 * @param {NodeJS.Platform} platform
 * @param {NodeJS.ProcessEnv} env
 * @returns {string[]}
 */
export function chromiumPlaces(platform, env) {
  if (platform === 'win32') {
    const roots = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']]
    return roots.flatMap((root) => (root ? WINDOWS.map((file) => join(root, file)) : []))
  }
  const places = NAMES.flatMap((name) => onPath(name, env))
  return platform === 'darwin' ? [...places, ...MAC] : places
}

/**
 * Where a program of that name would be on the PATH.
 * @param {string} name
 * @param {NodeJS.ProcessEnv} env
 */
export function onPath(name, env) {
  const folders = (env['PATH'] ?? '').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name))
}

/**
 * The first of the places that holds a browser which answers.
 * @param {string[]} places
 * @param {(path: string) => Promise<boolean>} answers
 */
export async function firstThatAnswers(places, answers) {
  for (const place of places) {
    // One after the other: the first is nearly always right, and starting a browser is not free.
    if (existsSync(place) && (await answers(place))) return place
  }
  return undefined
}
