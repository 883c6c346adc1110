import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { buildServer } from './build-server.mjs'
import { ROOT } from './command.mjs'
import { runNode } from './tools.mjs'

/** Below node_modules, where the bundle finds the packages that stay outside of it. */
const cache = join(ROOT, 'node_modules', '.cache')

const Manifest = z.object({ scripts: z.record(z.string(), z.string()) })

let folder: string
beforeAll(async () => {
  await mkdir(cache, { recursive: true })
  folder = await mkdtemp(join(cache, 'server '))
  await buildServer(folder)
}, 60_000)
afterAll(() => rm(folder, { recursive: true }))

describe.each([
  ['admin:create', ['--email', 'nobody'], 'An e-mail address is needed'],
  ['keys:rotate', ['--nwo'], "Unknown option '--nwo'"],
])('npm run %s', (name, args, refusal) => {
  it('runs a program that is built', async () => {
    const { scripts } = Manifest.parse(
      JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')),
    )
    const [, program = ''] =
      /^node scripts\/server-command\.mjs (\S+)$/.exec(scripts[name] ?? '') ?? []

    const { code, output } = await runNode([join(folder, `${program}.js`), ...args])
    expect(output.trim().split('\n')).toEqual([expect.stringContaining(refusal)])
    expect(code).toBe(1)
  })
})
