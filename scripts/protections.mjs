// @ts-check
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { command, say, secondsSince } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import {
  chooseProtections,
  listProtections,
  readSource,
  withoutProtection,
} from './protection-list.mjs'
import { scratchCopy } from './scratch-copy.mjs'
import { failures } from './test-tally.mjs'
import { runNode } from './tools.mjs'
import { runVitest } from './vitest-run.mjs'

/** @typedef {import('./protection-list.mjs').ListedProtection} ListedProtection */
/** @typedef {{ protection: ListedProtection, noticed: boolean, how: string }} Finding */

const COPIES = 2

/** Built programs are what journeys and tests of whole programs run. */
const NEEDS_BUILD = /^e2e\//

/**
 * `npm run protections [-- AREA_OR_PATH …]`: takes each protection out of a scratch copy, runs the
 * tests that should notice, and lists those that did not.
 */
await command(async () => {
  await ensureInstalled()
  const chosen = chooseProtections(await listProtections(), process.argv.slice(2))
  if (chosen.length === 0) {
    say('No protection has that area or path.')
    process.exitCode = 1
    return
  }
  await ensureChromium()
  const started = performance.now()
  const copies = Array.from({ length: COPIES }, scratchCopy)
  try {
    // A test that fails anyway notices nothing.
    const broken = await inCopies(copies, runsOf(chosen), (run, folder) =>
      unprotectedRun(run, folder),
    )
    for (const { how } of broken.filter(({ ok }) => !ok))
      say(`fails with everything in place: ${how}`)
    const findings = await inCopies(copies, chosen, takeOut)
    report(findings, secondsSince(started))
    if (broken.some(({ ok }) => !ok) || findings.some(({ noticed }) => !noticed))
      process.exitCode = 1
  } finally {
    for (const copy of copies) copy.dispose()
  }
})

/**
 * @typedef {object} Run
 * @property {string[]} tests
 * @property {string} [only]
 */

/**
 * The test runs that the protections name, without repetitions: whole files together, and each
 * choice of tests by name on its own.
 * @param {ListedProtection[]} protections
 * @returns {Run[]}
 */
function runsOf(protections) {
  const whole = protections.filter(({ only }) => only === undefined).flatMap(({ tests }) => tests)
  const byName = new Map(
    protections
      .filter(({ only }) => only !== undefined)
      .map(({ tests, only }) => [JSON.stringify([tests, only]), { tests, only: only ?? '' }]),
  )
  const files = [...new Set(whole)]
  const half = Math.ceil(files.length / COPIES)
  const runs = [{ tests: files.slice(0, half) }, { tests: files.slice(half) }]
  return [...runs.filter(({ tests }) => tests.length > 0), ...byName.values()]
}

/**
 * @param {Run} run
 * @param {string} folder
 */
async function unprotectedRun(run, folder) {
  const { failed, output } = await runTests(run, folder)
  return { ok: failed.length === 0, how: failed.join('\n  ') || output }
}

/**
 * @param {ListedProtection} protection
 * @param {string} folder
 * @returns {Promise<Finding>}
 */
async function takeOut(protection, folder) {
  const path = join(folder, protection.file)
  const text = readSource(protection.file)
  /** @type {Finding} */
  let finding
  try {
    writeFileSync(path, withoutProtection(protection, text))
    const { failed, output } = await runTests(protection, folder, ['--bail=1'])
    // A file that did not even load says nothing about its tests.
    const [first] = failed.filter((line) => line.includes(' > '))
    finding = first
      ? { protection, noticed: true, how: first.replace(`${folder}/`, '') }
      : { protection, noticed: false, how: failed[0] ?? output }
  } catch (error) {
    finding = { protection, noticed: false, how: String(error) }
  } finally {
    writeFileSync(path, text)
  }
  say(`${finding.noticed ? '✓' : '✗'} ${protection.area}: ${protection.name}`)
  say(`    ${finding.how}`)
  return finding
}

/**
 * @param {Run} run
 * @param {string} folder
 * @param {string[]} [args]
 * @returns {Promise<{ failed: string[], output: string }>}
 */
async function runTests({ tests, only }, folder, args = []) {
  if (tests.some((file) => NEEDS_BUILD.test(file))) {
    const built = await runNode([join(folder, 'scripts', 'build.mjs')], { cwd: folder })
    if (built.code !== 0) return { failed: ['the build'], output: built.output }
  }
  const name = only === undefined ? [] : ['-t', only]
  const {
    code,
    output,
    report: found,
  } = await runVitest([...tests, ...name, ...args], { cwd: folder })
  const failed = failures(found)
  const isSilent = code !== 0 && failed.length === 0
  return { failed: isSilent ? ['a run without a report'] : failed, output: output.slice(-2000) }
}

/**
 * Shares the work between the copies, one piece at a time in each.
 * @template Item, Result
 * @param {{ folder: string }[]} copies
 * @param {Item[]} items
 * @param {(item: Item, folder: string) => Promise<Result>} work
 * @returns {Promise<Result[]>} in the order of the items
 */
async function inCopies(copies, items, work) {
  /** @type {Result[]} */
  const results = []
  const queue = [...items.entries()]
  await Promise.all(
    copies.map(async ({ folder }) => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        results[next[0]] = await work(next[1], folder)
      }
    }),
  )
  return results
}

/**
 * @param {Finding[]} findings
 * @param {string} time
 */
function report(findings, time) {
  const unnoticed = findings.filter(({ noticed }) => !noticed)
  for (const { protection } of unnoticed) say(`not noticed: ${protection.area}: ${protection.name}`)
  say(`${findings.length - unnoticed.length} noticed, ${unnoticed.length} not noticed, in ${time}`)
}
