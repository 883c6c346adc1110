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
  const first = scratchCopy()
  const copies = [first, scratchCopy()]
  try {
    const tests = [...new Set(chosen.flatMap((protection) => protection.tests))]
    // A test that fails anyway notices nothing.
    const { failed: broken } = await runTests({ tests }, first.folder)
    for (const line of broken) say(`fails with everything in place: ${line}`)
    const findings = await takeOutAll(copies, chosen)
    report(findings, secondsSince(started))
    if (broken.length > 0 || findings.some(({ noticed }) => !noticed)) process.exitCode = 1
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
 * One protection at a time in each copy.
 * @param {{ folder: string }[]} copies
 * @param {ListedProtection[]} protections
 */
async function takeOutAll(copies, protections) {
  /** @type {Finding[]} */
  const findings = []
  const queue = [...protections]
  await Promise.all(
    copies.map(async ({ folder }) => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        findings.push(await takeOut(next, folder))
      }
    }),
  )
  return findings
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
