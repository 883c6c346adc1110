// @ts-check
import './node-version.mjs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { command, ROOT } from './command.mjs'
import { ensureInstalled } from './install.mjs'

process.title = 'bancone'
process.env['NODE_ENV'] ??= 'production'

// The kernel ignores signals to process 1 that have no handler. The server replaces this one with its own.
const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])
const giveUp = () => process.exit(1)
for (const signal of signals) process.on(signal, giveUp)

await command(async () => {
  await ensureInstalled({ withDev: false })
  await ensureBuilt()
  // In this very process, so that a signal reaches the server and not a parent that must pass it on. For the same
  // reason `npm start` replaces its shell with this process (`exec`).
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(join(ROOT, 'dist', 'server', 'main.js')).href)
  for (const signal of signals) process.off(signal, giveUp)
})
