// @ts-check
import { join } from 'node:path'
import { checkDependencies } from './check-dependencies.mjs'
import { describe, ROOT } from './command.mjs'
import { lintMigrations, migrationFiles } from './lint-migrations.mjs'
import { leftOut, readLockfile } from './lockfile.mjs'
import { circlesOfRooms } from './rooms.mjs'
import { CODE_FOLDERS, codeFiles } from './source-files.mjs'
import { runNode, tool } from './tools.mjs'

/**
 * @typedef {object} CheckResult
 * @property {string} name
 * @property {boolean} ok
 * @property {number} count the files it looked at
 * @property {string} output
 * @property {number} milliseconds
 */
/** @typedef {{ ok: boolean, count: number, output: string }} Finding */
/** @typedef {{ name: string, run: () => Promise<Finding> }} Check */

/** Tools written in Go collect no garbage below this size, which took a third of their processor time. */
const GO_MEMORY = { GOGC: 'off', GOMEMLIMIT: '3GiB' }

/** Fewer code files than this and it is our own walk that is broken. */
export const LEAST_CODE_FILES = 40

const SERVER_SIDE = ['contract', 'server', 'sandbox', 'bench', 'scripts']

/** The slowest first: two run at a time, and the last one should not be the long one.
 * @type {Check[]}
 */
const CHECKS = [
  { name: 'types', run: () => types('tsconfig.json', SERVER_SIDE) },
  { name: 'lint', run: lint },
  { name: 'types (web)', run: () => types('web/tsconfig.json', ['web']) },
  { name: 'import rules', run: importRules },
  { name: 'types (journeys)', run: () => types('e2e/tsconfig.json', ['e2e']) },
  { name: 'dead code', run: deadCode },
  { name: 'format', run: format },
  { name: 'lockfile', run: lockfile },
  { name: 'migrations', run: migrations },
]

/**
 * Runs every check, also when one fails.
 * @returns {Promise<CheckResult[]>}
 */
export async function runChecks() {
  /** @type {CheckResult[]} */
  const results = []
  const queue = [...CHECKS]
  const worker = async () => {
    for (let check = queue.shift(); check; check = queue.shift()) {
      results.push(await measured(check))
    }
  }
  await Promise.all([worker(), worker()])
  const order = CHECKS.map(({ name }) => name)
  return results.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
}

/**
 * @param {Check} check
 * @returns {Promise<CheckResult>}
 */
async function measured({ name, run }) {
  const started = performance.now()
  /** @type {Finding} */
  let found
  try {
    found = await run()
  } catch (error) {
    found = { ok: false, count: 0, output: describe(error) }
  }
  return { name, ...found, milliseconds: performance.now() - started }
}

/** @returns {Promise<Finding>} */
async function format() {
  const biome = [tool('@biomejs/biome', 'biome'), 'check', '--colors=off', '--enforce-assist=true']
  const { code, output } = await runNode([...biome, '.'])
  // Generated files are formatted by what generates them.
  const expected = everyCodeFile().filter((file) => !file.endsWith('.gen.ts'))
  const looked = numberIn(output, /^Checked (\d+) files? in /m)
  return finding(looked, expected.length, code === 0, output)
}

/** @returns {Promise<Finding>} */
async function lint() {
  const oxlint = [tool('oxlint'), '--type-aware', '--deny-warnings', ...CODE_FOLDERS]
  const { code, output } = await runNode(oxlint, { env: { ...process.env, ...GO_MEMORY } })
  const looked = numberIn(output, /^Finished in .* on (\d+) files? with /m)
  return finding(looked, everyCodeFile().length, code === 0, output)
}

/**
 * @param {string} config
 * @param {string[]} folders
 * @returns {Promise<Finding>}
 */
async function types(config, folders) {
  // Only the root's configuration reads JavaScript; web's one script is for the build.
  const expected = codeFiles(folders).filter(
    (file) => config === 'tsconfig.json' || !file.endsWith('.mjs'),
  )
  const cache = join(
    'node_modules',
    '.cache',
    'tsc',
    `${config.replaceAll(/\W/g, '-')}.tsbuildinfo`,
  )
  // The native compiler; tools that import the compiler need version 6.
  const tsc = [tool('typescript-7', 'tsc'), '-p', config, '--noEmit', '--pretty', 'false']
  const { code, output } = await runNode(
    [...tsc, '--listFiles', '--incremental', '--tsBuildInfoFile', join(ROOT, cache)],
    { env: { ...process.env, ...GO_MEMORY } },
  )
  const missed = missedByTsc(output, expected, ROOT)
  const text = [withoutFileList(output), ...missed.map((file) => `not looked at: ${file}`)]
  return finding(expected.length - missed.length, expected.length, code === 0, text.join('\n'))
}

/** Fewer folders that know others than this and the search for circles is broken. */
const LEAST_ROOMS = 40

/** @returns {Promise<Finding>} */
async function importRules() {
  const { files, modules, violations, output } = await checkDependencies()
  const { rooms, circles } = circlesOfRooms(modules)
  const looked = new Set(files)
  const expected = everyCodeFile()
  const missed = expected.filter((file) => !looked.has(file))
  const text = [
    output,
    ...missed.map((file) => `not looked at: ${file}\n`),
    ...circles.map((room) => `in a circle of folders: ${room}\n`),
    ...(rooms < LEAST_ROOMS ? [`only ${rooms} folders know others\n`] : []),
  ].join('')
  const count = expected.length - missed.length
  const passed = violations.length === 0 && circles.length === 0 && rooms >= LEAST_ROOMS
  return finding(count, expected.length, passed, text)
}

/** @returns {Promise<Finding>} */
async function deadCode() {
  const reporter = join(ROOT, 'scripts', 'check-knip-count.mjs')
  const knip = [tool('knip'), '--no-progress', '--reporter', 'symbols', '--reporter', reporter]
  const { code, output } = await runNode(knip)
  const looked = numberIn(output, /^Looked at (\d+) files\.$/m)
  return finding(looked, everyCodeFile().length, code === 0, output)
}

/** @returns {Promise<Finding>} */
async function lockfile() {
  const { packages } = readLockfile()
  const missing = Object.keys(leftOut(packages))
  const text = missing.map((path) => `left out: ${path}\n`).join('')
  const help = text && 'Put it in with: node scripts/lockfile.mjs\n'
  // One file; that it holds something is what its own tests and every install show.
  return finding(Object.keys(packages).length > 0 ? 1 : 0, 1, missing.length === 0, text + help)
}

/** @returns {Promise<Finding>} */
async function migrations() {
  const files = migrationFiles()
  const { ok, count, output } = await lintMigrations(files)
  return finding(count, files.length, ok, output)
}

/**
 * A checker that looked at nothing finds nothing wrong: each must show that it looked at what our own walk finds.
 * @param {number} count what it looked at
 * @param {number} floor what it should have
 * @param {boolean} passed what it said itself
 * @param {string} output
 * @returns {Finding}
 */
export function finding(count, floor, passed, output) {
  if (count >= floor) return { ok: passed, count, output }
  const reason = `looked at ${count} files; there are ${floor}`
  return { ok: false, count, output: `${output.trimEnd()}\n${reason}\n` }
}

/**
 * The files among `expected` that a `tsc --listFiles` does not name.
 * @param {string} output
 * @param {string[]} expected paths from the root
 * @param {string} root ends with a slash
 */
export function missedByTsc(output, expected, root) {
  const base = root.replaceAll('\\', '/')
  const listed = new Set(output.split(/\r?\n/))
  return expected.filter((file) => !listed.has(`${base}${file}`))
}

/**
 * What `tsc --listFiles` wrote beside the list.
 * @param {string} output
 */
function withoutFileList(output) {
  return output
    .split(/\r?\n/)
    .filter((line) => !/^(?:\/|[A-Z]:\/).*\.(?:[cm]?[jt]sx?|json)$/i.test(line))
    .join('\n')
}

/**
 * @param {string} text
 * @param {RegExp} pattern
 */
function numberIn(text, pattern) {
  return Number(pattern.exec(text)?.[1] ?? 0)
}

function everyCodeFile() {
  const files = codeFiles()
  if (files.length >= LEAST_CODE_FILES) return files
  throw new Error(`Only ${files.length} code files were found in ${ROOT}: the walk is broken.`)
}
