// @ts-check
import './node-version.mjs'
import { command, isMain, say } from './command.mjs'
import { ensureInstalled } from './install.mjs'

/** @typedef {import('./checks.mjs').CheckResult} CheckResult */

/**
 * Runs the checks and shows them: in full what failed, and a table of all.
 * @returns {Promise<CheckResult[]>}
 */
export async function showChecks() {
  const { runChecks } = await import('./checks.mjs')
  const results = await runChecks()
  for (const { name, output } of results.filter(({ ok }) => !ok)) {
    say(`\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}\n${output.trimEnd()}`)
  }
  say(`\n${table(results)}\n`)
  return results
}

/** @param {CheckResult[]} results */
export function table(results) {
  const width = Math.max(...results.map(({ name }) => name.length))
  return results
    .map(({ name, ok, count, floor, milliseconds }) => {
      const seconds = `${(milliseconds / 1000).toFixed(1)} s`
      const files =
        floor === 0 && ok ? 'nothing there yet' : `${count} file${count === 1 ? '' : 's'}`
      return `${ok ? '✓' : '✗'} ${name.padEnd(width)}  ${seconds.padStart(7)}  ${files}`
    })
    .join('\n')
}

if (isMain(import.meta.url)) {
  await command(async () => {
    await ensureInstalled()
    const results = await showChecks()
    if (results.some(({ ok }) => !ok)) process.exitCode = 1
  })
}
