// @ts-check
import './node-version.mjs'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { command, ROOT, say } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { tool } from './tools.mjs'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()
let stopping = false

await command(async () => {
  await ensureInstalled()
  process.env['NODE_ENV'] ??= 'development'
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => stopAll())
  }
  start('server', [tool('tsx'), 'watch', '--clear-screen=false', 'server/src/main.ts'])
  start('web', [tool('vite'), 'dev', 'web', '--clearScreen', 'false'])
})

/**
 * @param {string} name
 * @param {string[]} args
 */
function start(name, args) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl-C reaches every process of the terminal's group, and tsx takes the second signal, ours,
    // for impatience and kills the server. In a group of its own it gets one.
    detached: process.platform !== 'win32',
  })
  running.add(child)
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => say(`${name.padEnd(6)} │ ${line}`))
  }
  child.once('close', (code) => {
    running.delete(child)
    // One without the other is of no use: the page needs its server.
    if (!stopping) process.exitCode = code ?? 1
    stopAll()
  })
}

function stopAll() {
  if (stopping) return
  stopping = true
  for (const child of running) child.kill('SIGTERM')
}
