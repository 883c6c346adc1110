// @ts-check
import { cpus } from 'node:os'

/**
 * @typedef {object} Part
 * @property {string} name
 * @property {number} wallSeconds
 * @property {number} cpuSeconds what all cores of the machine worked meanwhile
 * @property {number} files
 * @property {number} tests
 */
/** @typedef {{ file: string, seconds: number }} TimedFile */

/** Seconds that the cores have worked since the machine started, added up. */
export function busySeconds() {
  const times = cpus().map(({ times: { user, nice, sys, irq } }) => user + nice + sys + irq)
  return times.reduce((sum, each) => sum + each, 0) / 1000
}

/**
 * The parts of a run with their sum, and the files that took longest.
 * @param {Part[]} parts
 * @param {TimedFile[]} files
 * @param {number} [slowest] how many of them
 */
export function timesTable(parts, files, slowest = 15) {
  const sum = {
    name: 'All',
    wallSeconds: total(parts, 'wallSeconds'),
    cpuSeconds: total(parts, 'cpuSeconds'),
    files: total(parts, 'files'),
    tests: total(parts, 'tests'),
  }
  const rows = [...parts, sum].map((part) =>
    [
      part.name.padEnd(10),
      `${part.wallSeconds.toFixed(0)} s`.padStart(8),
      `${part.cpuSeconds.toFixed(0)} s`.padStart(8),
      String(part.files).padStart(7),
      String(part.tests).padStart(7),
    ].join(''),
  )
  const head = `${''.padEnd(10)}${'wall'.padStart(8)}${'CPU'.padStart(8)}${'files'.padStart(7)}${'tests'.padStart(7)}`
  const slow = files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, slowest)
    .map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`)
  const slowLines = slow.length > 0 ? ['', 'The slowest files:', ...slow] : []
  return [head, ...rows, ...slowLines].join('\n')
}

/**
 * @param {Part[]} parts
 * @param {'wallSeconds' | 'cpuSeconds' | 'files' | 'tests'} what
 */
function total(parts, what) {
  return parts.reduce((sum, part) => sum + part[what], 0)
}
