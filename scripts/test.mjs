// @ts-check
import './node-version.mjs'
import { ensureBuilt } from './build.mjs'
import { showChecks } from './check.mjs'
import { ensureChromium } from './chromium.mjs'
import { describe, say } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { isJourney, parseRequest, shardOf, testFiles } from './test-selection.mjs'
import { busySeconds, timesTable } from './test-table.mjs'
import {
  add,
  failures,
  filesNotRun,
  fileTimes,
  lastLines,
  NOTHING,
  tallyOfChecks,
  tallyOfVitest,
} from './test-tally.mjs'
import { runVitest } from './vitest-run.mjs'

/** @typedef {import('./test-tally.mjs').Tally} Tally */
/** @typedef {import('./test-table.mjs').Part} Part */

let total = NOTHING
/** Nothing had to run, so that no passed test is no failure. */
let isDone = false
/** @type {string[]} */
const failed = []
/** @type {Part[]} */
const parts = []
/** @type {import('./test-table.mjs').TimedFile[]} */
const files = []

try {
  await run()
} catch (error) {
  say(describe(error))
  total = add(total, { ...NOTHING, failed: 1 })
}
for (const failure of failed) say(`failed: ${failure}`)
if (parts.length > 0) say(`\n${timesTable(parts, files)}\n`)
say(lastLines(total))
process.exitCode = total.failed > 0 || (total.passed === 0 && !isDone) ? 1 : 0

/** Without packages, a build or a browser there is nothing to test: an error here ends the run. */
async function run() {
  const request = parseRequest(process.argv.slice(2))
  await ensureInstalled()
  const chosen = await choose(request)
  if (request.changed && chosen.length === 0) {
    say('Nothing has changed that a test is known to cover.')
    isDone = true
    return
  }
  const journeys = chosen.filter(isJourney)
  const others = chosen.filter((file) => !isJourney(file))
  await ensureBuilt()
  if (journeys.length > 0) await ensureChromium()
  const isPart = request.filters.length > 0 || request.changed
  // One machine of several looks at the code itself.
  if (isPart) say(`Only ${chosen.length} test files; no checks.`)
  else if ((request.shard?.index ?? 1) === 1) await part('Checks', checks)
  if (others.length > 0) await part('Tests', () => vitest('!*e2e', others))
  if (journeys.length > 0) await part('Journeys', () => vitest('*e2e', journeys))
}

/**
 * @param {import('./test-selection.mjs').Request} request
 * @returns {Promise<string[]>}
 */
async function choose({ filters, shard, changed }) {
  let chosen = testFiles()
  if (filters.length > 0) {
    chosen = chosen.filter((file) => filters.some((filter) => file.includes(filter)))
  }
  if (changed) {
    const { affectedTests, changedFiles } = await import('./affected-tests.mjs')
    chosen = await affectedTests(changedFiles(), chosen)
  }
  return shard ? shardOf(chosen, shard) : chosen
}

/**
 * A part that breaks down counts as one failure and does not keep the next from running.
 * @param {string} name
 * @param {() => Promise<{ tally: Tally, files: number }>} work
 */
async function part(name, work) {
  say(`\n── ${name}`)
  const started = performance.now()
  const busy = busySeconds()
  let done = { tally: { ...NOTHING, failed: 1 }, files: 0 }
  try {
    done = await work()
  } catch (error) {
    say(describe(error))
  }
  total = add(total, done.tally)
  parts.push({
    name,
    wallSeconds: (performance.now() - started) / 1000,
    cpuSeconds: busySeconds() - busy,
    files: done.files,
    tests: done.tally.passed + done.tally.failed,
  })
}

async function checks() {
  const results = await showChecks()
  return { tally: tallyOfChecks(results), files: Math.max(...results.map(({ count }) => count)) }
}

/**
 * @param {string} project
 * @param {string[]} expected the files that must run
 * @returns {Promise<{ tally: Tally, files: number }>}
 */
async function vitest(project, expected) {
  const { code, report } = await runVitest(['--project', project, ...expected], { show: true })
  failed.push(...failures(report))
  files.push(...fileTimes(report, expected))
  const forgotten = filesNotRun(report, expected)
  for (const name of forgotten) say(`did not run: ${name}`)
  const tally = add(tallyOfVitest(report, code), { ...NOTHING, failed: forgotten.length })
  return { tally, files: expected.length }
}
