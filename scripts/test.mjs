// @ts-check
import './node-version.mjs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { ensureChromium, ensureHeadlessShell } from './chromium.mjs'
import { describe, ROOT, Stop, say, secondsSince } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { codeFiles, isTest } from './source-files.mjs'
import {
  add,
  failures,
  filesNotRun,
  fileTimes,
  lastLines,
  NOTHING,
  tallyOfVitest,
} from './test-tally.mjs'
import { runNode } from './tools.mjs'
import { runVitest } from './vitest-run.mjs'

/** @typedef {import('./test-tally.mjs').Tally} Tally */

/** How many of the slowest files are named at the end. */
const SLOWEST = 15

let total = NOTHING
/** @type {string[]} */
const failed = []
/** What each part took. @type {string[]} */
const times = []
/** @type {import('./test-tally.mjs').TimedFile[]} */
const timedFiles = []

try {
  await run()
} catch (error) {
  say(describe(error))
  total = add(total, { ...NOTHING, failed: 1 })
}
for (const failure of failed) say(`failed: ${failure}`)
if (timedFiles.length > 0) say('\nThe slowest files:')
for (const { file, seconds } of timedFiles
  .toSorted((a, b) => b.seconds - a.seconds)
  .slice(0, SLOWEST)) {
  say(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
}
for (const line of times) say(line)
say(lastLines(total))
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

/** Without packages, a build or a browser there is nothing to test: an error here ends the run. */
async function run() {
  const filters = process.argv.slice(2)
  const option = filters.find((filter) => filter.startsWith('-'))
  if (option) throw new Stop(`npm test does not know the option ${option}.`)
  await ensureInstalled()
  const isPart = filters.length > 0
  const chosen = codeFiles()
    .filter(isTest)
    .filter((file) => !isPart || filters.some((filter) => file.includes(filter)))
  const journeys = chosen.filter((file) => file.startsWith('e2e/'))
  const others = chosen.filter((file) => !file.startsWith('e2e/'))
  await ensureBuilt()
  if (journeys.length > 0) {
    await ensureChromium()
    await ensureHeadlessShell()
  }
  if (isPart) say(`Only ${chosen.length} test files; no checks.`)
  // Beside the tests, which wait for programs and clocks: the checks cost no time of their own.
  const checks = isPart ? undefined : runNode([join(ROOT, 'scripts', 'check.mjs')], { idle: true })
  if (others.length > 0) await part('Tests', () => vitest('!*e2e', others))
  if (checks) await part('Checks', async () => tallyOfChecks(await checks))
  if (journeys.length > 0) await part('Journeys', () => vitest('*e2e', journeys))
}

/**
 * A part that breaks down counts as one failure and does not keep the next from running.
 * @param {string} name
 * @param {() => Promise<Tally>} work
 */
async function part(name, work) {
  say(`\n── ${name}`)
  const started = performance.now()
  let tally = { ...NOTHING, failed: 1 }
  try {
    tally = await work()
  } catch (error) {
    say(describe(error))
  }
  total = add(total, tally)
  times.push(`${name}: ${tally.passed + tally.failed} in ${secondsSince(started)}`)
}

/**
 * All checks count as one.
 * @param {import('./tools.mjs').Outcome} outcome
 * @returns {Tally}
 */
function tallyOfChecks({ code, output }) {
  say(output.trim())
  return code === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 }
}

/**
 * @param {string} project
 * @param {string[]} expected the files that must run
 * @returns {Promise<Tally>}
 */
async function vitest(project, expected) {
  const { code, report } = await runVitest(['--project', project, ...expected], { show: true })
  failed.push(...failures(report))
  timedFiles.push(...fileTimes(report, expected))
  const forgotten = filesNotRun(report, expected)
  for (const name of forgotten) say(`did not run: ${name}`)
  return add(tallyOfVitest(report, code), { ...NOTHING, failed: forgotten.length })
}
