// @ts-check
import './node-version.mjs'
import { resolve } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { command, ROOT } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { runNode, tool } from './tools.mjs'

/** `node scripts/run-built.mjs bench/run.ts …`: runs a TypeScript program that needs the built app. */
await command(async () => {
  const [program = '', ...args] = process.argv.slice(2)
  await ensureInstalled()
  await ensureBuilt()
  const { code } = await runNode([tool('tsx'), resolve(ROOT, program), ...args], { show: true })
  process.exitCode = code
})
