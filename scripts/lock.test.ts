import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withLock } from './lock.mjs'
import { runNode } from './tools.mjs'

const PROGRAM = `
import { appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
const [module, folder] = process.argv.slice(2)
const { withLock } = await import(module)
await withLock('work', async () => {
  appendFileSync(folder + '/log', 'in ')
  await wait(100)
  appendFileSync(folder + '/log', 'out ')
}, folder)
`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock '))
})
afterEach(() => rm(folder, { recursive: true }))

it('lets one process in at a time', async () => {
  const program = join(folder, 'program.mjs')
  await writeFile(program, PROGRAM)
  const args = [program, new URL('lock.mjs', import.meta.url).href, folder]
  const outcomes = await Promise.all([runNode(args), runNode(args), runNode(args)])
  expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(await readFile(join(folder, 'log'), 'utf8')).toBe('in out in out in out ')
})

it.each([
  ['a process that died', '4194305'],
  ['this very process number, before a restart', String(process.pid)],
])('takes over from %s', async (_, pid) => {
  await writeFile(join(folder, '.work.lock'), pid)
  expect(await withLock('work', async () => 'done', folder)).toBe('done')
  expect(await readdir(folder)).toEqual([])
})

it('is free again after a failure', async () => {
  const failing = withLock('work', () => Promise.reject(new Error('no')), folder)
  await expect(failing).rejects.toThrow('no')
  expect(await withLock('work', async () => 'done', folder)).toBe('done')
})
