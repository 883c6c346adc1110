// @ts-check
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './build.mjs'
import { command, ROOT } from './command.mjs'
import { ensureInstalled } from './install.mjs'

/**
 * Runs a built program of the server in this process, with our arguments, standard input and terminal.
 * @param {string} name as build-server.mjs names it
 */
export async function serverCommand(name) {
  process.env['NODE_ENV'] ??= 'production'
  await command(async () => {
    await ensureInstalled({ withDev: false })
    await ensureBuilt()
    process.setSourceMapsEnabled(true)
    await import(pathToFileURL(join(ROOT, 'dist', 'server', `${name}.js`)).href)
  })
}
