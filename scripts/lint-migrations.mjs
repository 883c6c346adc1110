// @ts-check
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './command.mjs'
import { runNode, tool } from './tools.mjs'

const FOLDER = join('server', 'src', 'database', 'migrations')

/** Matters of taste; and the lock timeout, which the server sets for every migration. */
const LEFT_OUT = [
  'prefer-bigint-over-int',
  'prefer-bigint-over-smallint',
  'prefer-identity',
  'prefer-robust-stmts',
  'prefer-text-field',
  'prefer-timestamp-tz',
  'require-lock-timeout',
  'require-statement-timeout',
  'require-timeout-settings',
]

/** @returns the migrations that must not stop a server that works */
export function migrationFiles() {
  return readdirSync(join(ROOT, FOLDER))
    .filter((name) => name.endsWith('.sql'))
    .map((name) => join(FOLDER, name))
}

/**
 * Finds statements that block readers or writers of a table for long, or that the last release does not survive.
 * @param {string[]} files of server/src/database/migrations
 * @returns {Promise<{ ok: boolean, count: number, output: string }>} `count`: the files that were read
 */
export async function lintMigrations(files) {
  const concurrent = files.filter((file) => file.endsWith('.concurrent.sql'))
  const others = files.filter((file) => !file.endsWith('.concurrent.sql'))
  const results = [
    await squawk(others, '--assume-in-transaction'),
    await squawk(concurrent, '--no-assume-in-transaction'),
  ]
  return {
    ok: results.every(({ ok }) => ok),
    count: results.reduce((sum, { count }) => sum + count, 0),
    output: results.map(({ output }) => output).join(''),
  }
}

/**
 * @param {string[]} files
 * @param {string} transaction
 */
async function squawk(files, transaction) {
  if (files.length === 0) return { ok: true, count: 0, output: '' }
  const rules = `--exclude=${LEFT_OUT.join(',')}`
  const { code, output } = await runNode([
    tool('squawk-cli', 'squawk'),
    rules,
    '--pg-version=15.0',
    transaction,
    ...files,
  ])
  const [, read = 0] = /checked (\d+) /.exec(output) ?? / in (\d+) files? /.exec(output) ?? []
  return { ok: code === 0, count: Number(read), output }
}
