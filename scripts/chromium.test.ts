import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ROOT } from './command.mjs'
import { runNode } from './tools.mjs'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'browsers '))
  await program('chromium', 'exit 1')
  await program('google-chrome', 'echo Google Chrome 1.2')
  await program('mine', 'echo Chromium 1.2')
})
afterAll(() => rm(folder, { recursive: true }))

async function program(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), `#!/bin/sh\n${text}\n`)
  await chmod(join(folder, name), 0o755)
}

function find(env: NodeJS.ProcessEnv) {
  return runNode([join(ROOT, 'scripts', 'chromium.mjs')], {
    env: { ...process.env, PATH: folder, CHROMIUM_PATH: undefined, ...env },
  })
}

it('takes the first on the PATH that starts', async () => {
  expect(await find({})).toEqual({ code: 0, output: `${join(folder, 'google-chrome')}\n` })
})

it('takes that of CHROMIUM_PATH alone', async () => {
  const mine = join(folder, 'mine')
  expect(await find({ CHROMIUM_PATH: mine })).toEqual({ code: 0, output: `${mine}\n` })
})

it('refuses a CHROMIUM_PATH that is no browser in one line', async () => {
  const { code, output } = await find({ CHROMIUM_PATH: '/nowhere/chromium' })
  expect(code).toBe(1)
  expect(output).toBe('CHROMIUM_PATH is /nowhere/chromium, which is no browser that starts.\n')
})
