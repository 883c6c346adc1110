// @ts-check
import './node-version.mjs'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { showChecks } from './check.mjs'
import { ensureChromium } from './chromium.mjs'
import { describe, say } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { codeFiles, isTest } from './source-files.mjs'
import {
  add,
  failures,
  filesNotRun,
  lastLines,
  NOTHING,
  tallyOfChecks,
  tallyOfVitest,
} from './test-tally.mjs'
import { runNode, tool } from './tools.mjs'

/** @typedef {import('./test-tally.mjs').Tally} Tally */
/** @typedef {import('./test-tally.mjs').VitestReport} VitestReport */

let total = NOTHING
/** @type {string[]} */
const failed = []
const filters = process.argv.slice(2)

try {
  await prepare()
  await (filters.length > 0 ? someTests() : everything())
} catch (error) {
  say(describe(error))
  total = add(total, { ...NOTHING, failed: 1 })
}
for (const failure of failed) say(`failed: ${failure}`)
say(lastLines(total))
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0

/** Without packages, a build or a browser there is nothing to test: an error here ends the run. */
async function prepare() {
  await ensureInstalled()
  if (filters.length > 0 && chosen(journeys()).length === 0) return
  await ensureBuilt()
  if (journeys().length > 0) process.env['CHROMIUM_PATH'] = await ensureChromium()
}

async function everything() {
  await phase('Checks', async () => tallyOfChecks(await showChecks()))
  await phase('Tests', () => vitest(['--project', '!*e2e'], others()))
  if (journeys().length > 0)
    await phase('Journeys', () => vitest(['--project', '*e2e'], journeys()))
  else say('No journeys there yet.')
}

async function someTests() {
  const tests = chosen(others())
  const some = chosen(journeys())
  const count = tests.length + some.length
  say(`Only the ${count} test files named like ${filters.join(' or ')}; no checks.`)
  if (tests.length > 0)
    await phase('Tests', () => vitest(['--project', '!*e2e', ...filters], tests))
  if (some.length > 0)
    await phase('Journeys', () => vitest(['--project', '*e2e', ...filters], some))
}

function others() {
  const ours = journeys()
  return codeFiles().filter((file) => isTest(file) && !ours.includes(file))
}

/**
 * Vitest's own way to choose: a part of the path.
 * @param {string[]} files
 */
function chosen(files) {
  return files.filter((file) => filters.some((filter) => file.includes(filter)))
}

function journeys() {
  return codeFiles(['e2e']).filter(isTest)
}

/**
 * A phase that breaks down counts as one failure and does not keep the next from running.
 * @param {string} name
 * @param {() => Promise<Tally>} work
 */
async function phase(name, work) {
  say(`\n── ${name}`)
  try {
    total = add(total, await work())
  } catch (error) {
    say(describe(error))
    total = add(total, { ...NOTHING, failed: 1 })
  }
}

/**
 * @param {string[]} args
 * @param {string[]} expected the files that must have run
 * @returns {Promise<Tally>}
 */
async function vitest(args, expected) {
  const folder = mkdtempSync(join(tmpdir(), 'bancone-test-'))
  const file = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  // Set, not left to the caller: libraries take "production" at its word and leave out what tests use.
  const env = { ...process.env, NODE_ENV: 'test' }
  const run = [tool('vitest'), 'run', ...reporters, ...args]
  const { code } = await runNode(run, { show: true, env })
  const report = readReport(file)
  rmSync(folder, { recursive: true, force: true })
  failed.push(...failures(report))
  const forgotten = filesNotRun(report, expected)
  for (const name of forgotten) say(`did not run: ${name}`)
  return add(tallyOfVitest(report, code), { ...NOTHING, failed: forgotten.length })
}

/**
 * @param {string} file
 * @returns {VitestReport | undefined}
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
