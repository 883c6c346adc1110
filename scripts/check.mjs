// @ts-check
import './node-version.mjs'
import { command, say } from './command.mjs'
import { ensureInstalled } from './install.mjs'

/** `npm run check`: runs the checks and shows them: in full what failed, and a table of all. */
await command(async () => {
  await ensureInstalled()
  const { runChecks } = await import('./checks.mjs')
  const results = await runChecks()
  for (const { name, output } of results.filter(({ ok }) => !ok)) {
    say(`\n── ${name} ${'─'.repeat(Math.max(0, 76 - name.length))}\n${output.trimEnd()}`)
  }
  const width = Math.max(...results.map(({ name }) => name.length))
  say('')
  for (const { name, ok, count, milliseconds } of results) {
    const seconds = `${(milliseconds / 1000).toFixed(1)} s`
    say(`${ok ? '✓' : '✗'} ${name.padEnd(width)}  ${seconds.padStart(7)}  ${count} files`)
  }
  if (results.some(({ ok }) => !ok)) process.exitCode = 1
})
