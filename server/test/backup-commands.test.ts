import { chmod, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startS3 } from '@bancone/sandbox/s3'
import { expect, it, onTestFinished, vi } from 'vitest'
import { refusal, run, startServer } from './program.ts'
import { temporaryFolder } from './temporary-folder.ts'

// PostgreSQL is started four times.
vi.setConfig({ testTimeout: 120_000 })

async function signIn(url: string, email: string, password: string): Promise<number> {
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  return reply.status
}

it('a machine that is lost is back from a bucket and the recovery sheet alone', async () => {
  const s3 = await startS3()
  onTestFinished(() => s3.close())
  const account = {
    S3_ENDPOINT: s3.url,
    S3_REGION: s3.region,
    S3_ACCESS_KEY_ID: s3.keys.id,
    S3_SECRET_ACCESS_KEY: s3.keys.secret,
  }
  const place = `s3://${s3.bucket}/copies`
  const root = await temporaryFolder()
  await chmod(root, 0o711)
  const [dataDir, into] = [join(root, 'data'), join(root, 'new')]
  const server = { DATA_DIR: dataDir, BACKUP_KEY_FILE: join(root, 'key'), ...account }
  const email = 'admin@example.it'

  const empty = run('backup', server, ['--to', place])
  expect(await refusal(empty)).toContain(`is not in ${dataDir}`)
  const created = run('admin-create', { DATA_DIR: dataDir }, ['--email', email])
  expect(await created.ended).toBe(0)
  const [, password = ''] = /shown this once: (\S+)/.exec(created.output()) ?? []
  // A server makes its secret at the first start.
  const first = await startServer({ DATA_DIR: dataDir, DEMO: '0' })
  await first.program.printed('Bancone is ready')

  const running = run('backup', server, ['--to', place])
  expect([await running.ended, running.output()]).toEqual([
    0,
    expect.stringMatching(/^Back-up \w+-\w+: .* MB, \d+ files\.\nA new key was made/),
  ])
  await first.program.end('SIGTERM')
  // As if the server archived, whose settings the command does not have: its log must not have a gap.
  const archive = join(dataDir, 'postgres.archive')
  await mkdir(archive)
  expect(await run('backup', server, ['--to', place]).ended).toBe(0)
  expect((await readdir(archive)).length).toBeGreaterThan(0)
  const sheetFile = join(root, 'sheet.html')
  expect(await run('backup', server, ['--to', place, '--sheet', sheetFile]).ended).toBe(0)
  const sheet = await readFile(sheetFile, 'utf8')
  const [, key = ''] = /<div class="key"><code>([\w-]+)</.exec(sheet) ?? []
  expect(sheet).toContain(`--from "${place}"`)
  await rm(dataDir, { recursive: true, force: true })

  const from = ['--from', place, '--into', into]
  expect(await refusal(run('restore', account, from))).toContain('Set BACKUP_KEY')
  const known = { ...account, BACKUP_KEY: key.toLowerCase() }
  const list = run('restore', known, ['--from', place, '--list'])
  expect(await list.ended).toBe(0)
  const names = list.output().match(/^\w+-\w+(?= {2}complete at 2)/gm) ?? []
  expect(names).toHaveLength(2)
  const restored = run('restore', known, [...from, '--backup', names[1] ?? ''])
  expect([await restored.ended, restored.output()]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`^The back-up ${names[1]} .* as it was when it was complete[^]*DATA_DIR=${into}`),
    ),
  ])
  expect(await refusal(run('restore', { ...account, BACKUP_KEY: key }, from))).toContain(
    'is not empty',
  )
  const second = await startServer({ DATA_DIR: into, DEMO: '0' })
  await second.program.printed('Bancone is ready')
  expect(await signIn(second.url, email, password)).toBe(200)
})
