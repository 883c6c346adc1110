// @ts-check
import './node-version.mjs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { command, ROOT } from './command.mjs'
import { ensureInstalled } from './install.mjs'

process.env['NODE_ENV'] ??= 'production'

await command(async () => {
  await ensureInstalled()
  await ensureBuilt()
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(join(ROOT, 'dist', 'server', 'admin-create.js')).href)
})
