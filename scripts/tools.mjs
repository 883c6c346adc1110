// @ts-check
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT, Stop } from './command.mjs'

/**
 * @typedef {object} Outcome
 * @property {number} code exit code; 1 when a signal ended it
 * @property {string} output what it wrote, both streams; empty when it wrote to the terminal
 */

/**
 * The file behind a package's command. Started with this Node it needs no shell and no shim, so it
 * works alike in a path with spaces and on Windows, and skips the half second of `npx`.
 * @param {string} packageName
 * @param {string} [name] the command, where a package has several
 */
export function tool(packageName, name = packageName) {
  const manifest = join(ROOT, 'node_modules', packageName, 'package.json')
  /** @type {{ bin: string | Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  const file = typeof bin === 'string' ? bin : bin[name]
  if (!file) throw new Stop(`The package ${packageName} has no command ${name}.`)
  return join(dirname(manifest), file)
}

/**
 * Runs a Node file to its end. With `show` it writes to the terminal, otherwise what it writes is
 * kept. Standard input is closed: nothing here may wait for an answer.
 * @param {string[]} args file and arguments
 * @param {Parameters<typeof runProgram>[2]} [options]
 * @returns {Promise<Outcome>}
 */
export function runNode(args, options = {}) {
  return runProgram(process.execPath, args, options)
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {{ show?: boolean, env?: NodeJS.ProcessEnv, cwd?: string, shell?: boolean, idle?: boolean }} [options]
 *   `idle`: it gets the processor time that others leave
 * @returns {Promise<Outcome>}
 */
export function runProgram(program, args, options = {}) {
  const { show = false, env = process.env, cwd = ROOT, shell = false, idle = false } = options
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(program, args, {
      cwd,
      env,
      shell,
      stdio: show ? ['ignore', 'inherit', 1] : ['ignore', 'pipe', 'pipe'],
    })
    if (idle && child.pid) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
    child.stdout?.setEncoding('utf8').on('data', (text) => (output += text))
    child.stderr?.setEncoding('utf8').on('data', (text) => (output += text))
    child.once('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }))
    child.once('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
