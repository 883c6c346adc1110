// @ts-check
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative } from 'node:path'
import { command, ROOT, say, secondsSince } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import {
  chooseProtections,
  listProtections,
  readSource,
  withoutProtection,
} from './protection-list.mjs'
import { failures } from './test-tally.mjs'
import { runVitest } from './vitest-run.mjs'

/** @typedef {import('./protection-list.mjs').ListedProtection} ListedProtection */
/** @typedef {{ protection: ListedProtection, noticed: boolean, how: string }} Finding */

/** What a copy does not get, besides packages. */
const LEFT_OUT = ['.git', 'data', 'dist']

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
  const started = performance.now()
  const copies = [scratchCopy(), scratchCopy()]
  try {
    const tests = [...new Set(chosen.flatMap((protection) => protection.tests))]
    // A test that fails anyway notices nothing.
    const { failed: broken } = await runTests({ tests }, copies[0] ?? '')
    for (const line of broken) say(`fails with everything in place: ${line}`)
    const findings = await takeOutAll(copies, chosen)
    const unnoticed = findings.filter(({ noticed }) => !noticed)
    for (const { protection } of unnoticed)
      say(`not noticed: ${protection.area}: ${protection.name}`)
    const count = findings.length - unnoticed.length
    say(`${count} noticed, ${unnoticed.length} not noticed, in ${secondsSince(started)}`)
    if (broken.length > 0 || unnoticed.length > 0) process.exitCode = 1
  } finally {
    for (const folder of copies) rmSync(folder, { recursive: true, force: true })
  }
})

/**
 * One protection at a time in each copy.
 * @param {string[]} copies
 * @param {ListedProtection[]} protections
 */
async function takeOutAll(copies, protections) {
  /** @type {Finding[]} */
  const findings = []
  const queue = [...protections]
  await Promise.all(
    copies.map(async (folder) => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        findings.push(await takeOut(next, folder))
      }
    }),
  )
  return findings
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
 * @param {{ tests: string[], only?: string }} run
 * @param {string} folder
 * @param {string[]} [args]
 * @returns {Promise<{ failed: string[], output: string }>}
 */
async function runTests({ tests, only }, folder, args = []) {
  const name = only === undefined ? [] : ['-t', only]
  const { code, output, report } = await runVitest([...tests, ...name, ...args], { cwd: folder })
  const failed = failures(report)
  const isSilent = code !== 0 && failed.length === 0
  return { failed: isSilent ? ['a run without a report'] : failed, output: output.slice(-2000) }
}

/**
 * A copy of the checkout as it is now, uncommitted changes included, with links to the installed
 * packages. The workspaces are linked to the copy's own, so that a change to the copy's contract
 * counts in its server.
 * @returns {string} its folder
 */
function scratchCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'bancone-scratch-'))
  cpSync(ROOT, folder, {
    recursive: true,
    filter: (path) => basename(path) !== 'node_modules' && !LEFT_OUT.includes(relative(ROOT, path)),
  })
  linkPackages(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['contract', 'server', 'web', 'sandbox', 'e2e']) {
    symlinkSync(join(folder, name), join(folder, 'node_modules', '@bancone', name), 'junction')
    const own = join(ROOT, name, 'node_modules')
    if (existsSync(own)) linkPackages(own, join(folder, name, 'node_modules'))
  }
  return folder
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
