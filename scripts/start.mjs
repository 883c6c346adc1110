// @ts-check
import './node-version.mjs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { command, ROOT } from './command.mjs'
import { ensureInstalled } from './install.mjs'

process.title = 'bancone'
process.env['NODE_ENV'] ??= 'production'

await command(async () => {
  await ensureInstalled()
  await ensureBuilt()
  // In this very process, so that a signal reaches the server and not a parent that must pass it on.
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(join(ROOT, 'dist', 'server', 'main.js')).href)
})
