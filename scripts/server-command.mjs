// @ts-check
import './node-version.mjs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { command, ROOT } from './command.mjs'
import { ensureInstalled } from './install.mjs'

process.env['NODE_ENV'] ??= 'production'

/**
 * `node scripts/server-command.mjs backup …`: runs a built program of the server, as build-server.mjs names it, in this
 * process, with our further arguments, standard input and terminal.
 */
await command(async () => {
  await ensureInstalled({ withDev: false })
  await ensureBuilt()
  process.setSourceMapsEnabled(true)
  const [name = ''] = process.argv.splice(2, 1)
  await import(pathToFileURL(join(ROOT, 'dist', 'server', `${name}.js`)).href)
})
