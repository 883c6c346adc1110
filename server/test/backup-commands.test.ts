import { chmod, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { refusal, run, startServer } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

// It starts two servers, and PostgreSQL three times.
vi.setConfig({ testTimeout: 120_000 })

const account = { email: 'farmacia@demo.bancone.it', password: 'Bancone-demo-1' }

async function signIn(url: string): Promise<number> {
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  })
  return reply.status
}

it('a machine that is lost is back from the place of the back-ups and the key alone', async () => {
  const root = await temporaryFolder()
  await chmod(root, 0o711)
  const [dataDir, target, into] = ['data', 'target', 'new'].map((name) => join(root, name))
  if (!dataDir || !target || !into) throw new Error('three names')
  await mkdir(target)
  const BACKUP_KEY_FILE = join(root, 'key')
  const DATA_DIR = dataDir
  const first = await startServer({ DATA_DIR, DEMO: '1', DEMO_ORDER_EVERY: '0' })
  await first.program.printed('Bancone is ready')

  // While the server runs.
  const made = run('backup', { DATA_DIR, BACKUP_KEY_FILE }, ['--to', target])
  expect([await made.ended, made.output()]).toEqual([
    0,
    expect.stringMatching(/^Back-up \w+-\w+: .* MB, \d+ files\.\nA new key was made/),
  ])
  const sheet = run('backup', { DATA_DIR, BACKUP_KEY_FILE }, ['--sheet', join(root, 'sheet.html')])
  expect(await sheet.ended).toBe(0)
  const key = (await readFile(BACKUP_KEY_FILE, 'utf8')).trim()
  expect(await readFile(join(root, 'sheet.html'), 'utf8')).toContain(key)

  await first.program.end('SIGTERM')
  // While it is stopped.
  expect(await run('backup', { DATA_DIR, BACKUP_KEY_FILE }, ['--to', target]).ended).toBe(0)
  await rm(dataDir, { recursive: true, force: true })

  const from = ['--from', target, '--into', into]
  expect(await refusal(run('restore', {}, from))).toContain('Set BACKUP_KEY or BACKUP_KEY_FILE')
  const restored = run('restore', { BACKUP_KEY: key.toLowerCase() }, from)
  expect([await restored.ended, restored.output()]).toEqual([
    0,
    expect.stringContaining(`Start the server with DATA_DIR=${into}`),
  ])
  expect(await refusal(run('restore', { BACKUP_KEY: key }, from))).toContain('is not empty')
  const second = await startServer({ DATA_DIR: into, DEMO: '1', DEMO_ORDER_EVERY: '0' })
  await second.program.printed('Bancone is ready')
  expect(await signIn(second.url)).toBe(200)
})
