import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { refusal, run, startServer } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

// PostgreSQL is started three times.
vi.setConfig({ testTimeout: 120_000 })

it('a server is exported while it runs, imported into a new folder, and goes on there', async () => {
  const root = await temporaryFolder()
  await chmod(root, 0o711)
  const [dataDir, into, place] = [join(root, 'data'), join(root, 'new'), join(root, 'export')]
  const key = ['--key-file', join(root, 'key')]
  const email = 'admin@example.it'
  const created = run('admin-create', { DATA_DIR: dataDir }, ['--email', email])
  expect(await created.ended).toBe(0)
  const [, password = ''] = /shown this once: (\S+)/.exec(created.output()) ?? []
  const first = await startServer({ DATA_DIR: dataDir, DEMO: '0' })
  await first.program.printed('Bancone is ready')

  const inside = ['--to', place, '--key-file', join(place, 'key')]
  expect(await refusal(run('export', { DATA_DIR: dataDir }, inside))).toContain('must not be in')
  const exported = run('export', { DATA_DIR: dataDir }, ['--to', place, ...key])
  expect([await exported.ended, exported.output()]).toEqual([
    0,
    expect.stringMatching(/^Exported everything to .*: \d+ rows of \d+ tables, 0 files\.\n/),
  ])
  // A running server would have it in memory that there is nothing.
  const from = ['--from', place, ...key]
  expect(await refusal(run('import', { DATA_DIR: dataDir }, from))).toContain('already using')
  await first.program.end('SIGTERM')

  const other = { DATA_DIR: into, APP_SECRET: 'x'.repeat(40) }
  expect(await refusal(run('import', other, from))).toContain('another secret than APP_SECRET')
  expect(await readdir(into)).toEqual([])
  const imported = run('import', { DATA_DIR: into }, from)
  expect([await imported.ended, imported.output()]).toEqual([
    0,
    expect.stringMatching(/^Imported everything: \d+ rows/),
  ])
  expect(await refusal(run('import', { DATA_DIR: into }, from))).toContain('is not empty')
  const second = await startServer({ DATA_DIR: into, DEMO: '0' })
  await second.program.printed('Bancone is ready')
  const reply = await fetch(`${second.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  expect(reply.status).toBe(200)
})
