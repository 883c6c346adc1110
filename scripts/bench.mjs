// @ts-check
import './node-version.mjs'
import { join } from 'node:path'
import { ensureBuilt } from './build.mjs'
import { command, ROOT } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { runNode, tool } from './tools.mjs'

await command(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const run = [tool('tsx'), join(ROOT, 'bench', 'run.ts'), ...process.argv.slice(2)]
  const { code } = await runNode(run, { show: true })
  process.exitCode = code
})
