// @ts-check
import './node-version.mjs'
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { command, ROOT, Stop } from './command.mjs'
import { ensureInstalled } from './install.mjs'
import { runNode, runProgram } from './tools.mjs'

const MIGRATIONS = join('server', 'src', 'database', 'migrations')

/**
 * `npm run test:previous -- REVISION [files]`: the journeys of an earlier version, or those files of them, with the
 * migrations of this version. Servers of the earlier version work on the new schema while they are replaced one after
 * the other.
 */
await command(async () => {
  const [revision, ...files] = process.argv.slice(2)
  if (!revision)
    throw new Stop('Name the earlier version: npm run test:previous -- REVISION [files]')
  await ensureInstalled()
  await ensureChromium()
  const folder = mkdtempSync(join(tmpdir(), 'bancone-previous-'))
  try {
    const archive = join(folder, 'sources.tar')
    const root = join(folder, 'bancone')
    mkdirSync(root)
    const steps = [
      ['git', 'archive', '--output', archive, revision],
      ['tar', '-xf', archive, '-C', root],
    ]
    for (const [program = '', ...args] of steps) {
      const { code, output } = await runProgram(program, args)
      if (code !== 0) throw new Stop(`${program} failed: ${output.trim()}`)
    }
    cpSync(join(ROOT, MIGRATIONS), join(root, MIGRATIONS), { recursive: true })
    const options = { show: true, cwd: root }
    const built = await runNode([join('scripts', 'build.mjs')], options)
    if (built.code !== 0) throw new Stop('The earlier version could not be built.')
    const vitest = join('node_modules', 'vitest', 'vitest.mjs')
    const { code } = await runNode([vitest, 'run', '--project', 'e2e', ...files], options)
    process.exitCode = code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
