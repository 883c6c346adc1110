import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { canContain, container } from '../../../test/container.ts'
import {
  clusterOf,
  postmasterPid,
  query,
  start,
  startServer,
  stoppedServer,
  temporaryFolder,
} from '../../../test/embedded-database.ts'
import { failureOf } from '../../../test/failure-of.ts'
import { StartupError } from '../../base/startup-error.ts'
import { findAccount, runsAsRoot } from './account.ts'
import { lockFilePath } from './lock-file.ts'
import { lookUpRecord, processState, recordProcess, removeRecord } from './processes.ts'

/** The lock file as PostgreSQL leaves it when it is killed. */
async function leaveLockFile(cluster: string, pid: number | undefined): Promise<void> {
  const { uid, gid } = await stat(cluster)
  await writeFile(lockFilePath(cluster), `${pid}\n${cluster}\n1\n1\n\n\n`)
  await chown(lockFilePath(cluster), uid, gid)
}

async function refusal(dataDir: string): Promise<string> {
  const { message } = await failureOf(start(dataDir), StartupError)
  expect(message).not.toContain('\n')
  return message
}

describe('a lock file that was left', () => {
  test('naming a process that is another program is not touched', async () => {
    const { dataDir, cluster } = await stoppedServer()
    const file = lockFilePath(cluster)
    const text = `${process.pid}\n${cluster}\n1\n1\n\n127.0.0.1\n1 1\nready\n`
    await writeFile(file, text)
    const message = await refusal(dataDir)
    expect(message).toContain(
      `the file ${file} names process ${process.pid}, but that process is 'node'`,
    )
    expect(message).toContain('delete that file and start again')
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  test('naming a process that is gone is replaced by PostgreSQL', async () => {
    const { dataDir, cluster } = await stoppedServer()
    const gone = spawn(process.execPath, ['--eval', ''])
    await once(gone, 'exit')
    await leaveLockFile(cluster, gone.pid)
    const database = await start(dataDir)
    expect(await query(database.url, 'select 1')).toEqual([1])
  })

  test('naming a process that ended and keeps its number is replaced by PostgreSQL', async () => {
    const { dataDir, cluster } = await stoppedServer()
    const { uid, gid } = await stat(cluster)
    // The shell's child becomes a zombie, because the program that replaced the shell never waits for it.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.3 & echo $!; exec sleep 60'], { uid, gid })
    onTestFinished(() => void parent.kill())
    const pid = await once(parent.stdout, 'data').then(([data]: unknown[]) => Number(data))
    while ((await processState(pid)) !== 'defunct') await sleep(20)
    await leaveLockFile(cluster, pid)
    const database = await start(dataDir)
    expect(await query(database.url, 'select 1')).toEqual([1])
  })
})

describe('a lock file that was left, with the record of its process', () => {
  /** A lock file that names a process which PostgreSQL could take for a server, and the record of another one. */
  async function leaveRecord(record: { boot?: string; namespace?: string; startTicks?: number }) {
    const { dataDir, cluster } = await stoppedServer()
    const { uid, gid } = await stat(cluster)
    const other = spawn('sleep', ['60'], { uid, gid })
    onTestFinished(() => void other.kill())
    const { pid } = other
    await leaveLockFile(cluster, pid)
    removeRecord(dataDir)
    recordProcess(dataDir, pid)()
    const file = join(dataDir, 'postgres-process')
    const made = z
      .object({ pid: z.number() })
      .loose()
      .parse(JSON.parse(await readFile(file, 'utf8')))
    await writeFile(file, JSON.stringify({ ...made, ...record }))
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(file, longAgo, longAgo)
    return { dataDir, file, pid: pid ?? 0 }
  }

  test('of a server whose number was given to another process does not hinder the start', async () => {
    const { dataDir } = await leaveRecord({ startTicks: 1 })
    const database = await start(dataDir)
    expect(await query(database.url, 'select 1')).toEqual([1])
  })

  test('is not touched while the process is the recorded one', async () => {
    const { dataDir, pid } = await leaveRecord({})
    expect(await refusal(dataDir)).toContain(`names process ${pid}, but that process is 'sleep'`)
  })

  test('tells another boot, and a container whose server lives by its beats', async () => {
    const before = await leaveRecord({ boot: 'another one' })
    expect(await lookUpRecord(before.dataDir, before.pid)).toBe('elsewhere')
    const { dataDir, file, pid } = await leaveRecord({ namespace: 'pid:[1]' })
    expect(await lookUpRecord(dataDir, pid)).toBe('elsewhere')
    await utimes(file, new Date(), new Date())
    expect(await lookUpRecord(dataDir, pid)).toBe('elsewhere, beating')
    expect(await lookUpRecord(dataDir, pid + 1)).toBe('unknown')
  })

  test('is touched again and again by a server that lives', async () => {
    const { dataDir } = await stoppedServer()
    await start(dataDir)
    const file = join(dataDir, 'postgres-process')
    const { mtimeMs } = await stat(file)
    await expect
      .poll(async () => (await stat(file)).mtimeMs, { timeout: 10_000 })
      .toBeGreaterThan(mtimeMs)
    expect(await lookUpRecord(dataDir, await postmasterPid(dataDir))).toBe('same')
  })
})

test('what initdb left when it was killed is removed', async () => {
  const { dataDir, cluster } = await stoppedServer()
  const gone = spawn(process.execPath, ['--eval', ''])
  await once(gone, 'exit')
  const killed = `.new-${gone.pid}-0123456789ab`
  const [living, own] = ['.new-1-0123456789ab', `.new-${process.pid}-0123456789ab`]
  for (const name of [killed, living, own])
    await mkdir(`${cluster}${name}/base`, { recursive: true })
  await writeFile(`${cluster}${killed}.password`, '')
  await start(dataDir)
  const left = (await readdir(dataDir)).filter((name) => name.includes('.new-'))
  expect(left).toEqual([`postgres${living}`])
})

describe('one line says what to do', () => {
  test('about files of another version', async () => {
    const { dataDir, cluster } = await stoppedServer()
    await writeFile(join(cluster, 'PG_VERSION'), '17\n')
    const message = /was made by PostgreSQL 17 and this version brings 18: dump/
    expect(await refusal(dataDir)).toMatch(message)
  })

  test('about a password that is gone', async () => {
    const { dataDir } = await stoppedServer()
    await rm(join(dataDir, 'postgres-password'))
    expect(await refusal(dataDir)).toContain(join(dataDir, 'postgres-password'))
  })

  test('about a data folder that cannot be made', async () => {
    const folder = await temporaryFolder()
    await writeFile(join(folder, 'file'), '')
    expect(await refusal(join(folder, 'file', 'data'))).toContain(join(folder, 'file', 'data'))
  })

  test('about a database that was moved away from where it is said to be', async () => {
    const dataDir = join(await temporaryFolder(), 'data')
    await mkdir(dataDir)
    await writeFile(join(dataDir, 'postgres-location'), '/nowhere/at all\n')
    expect(await refusal(dataDir)).toContain('/nowhere/at all, which is gone')
  })

  test('about PostgreSQL itself refusing, with its reason and its log', async () => {
    const { dataDir } = await stoppedServer()
    const error = start(dataDir, { settings: { max_connections: 'many' } })
    await expect(error).rejects.toThrow(
      /invalid value for parameter "max_connections".*postgres\.log/,
    )
  })
})

describe.runIf(runsAsRoot)('as root', () => {
  test.runIf(canContain)('a full disk is named, and nothing is to be deleted', async () => {
    const folder = await temporaryFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'bancone', folder])
    onTestFinished(() => void execFileSync('umount', [folder]))
    const message = await refusal(join(folder, 'data'))
    expect(message).toContain(`The disk of ${join(folder, 'data')} is full: make room`)
  })

  test.runIf(canContain)(
    'a container that was killed is followed by another with the same process ids',
    async () => {
      const { dataDir } = await stoppedServer()
      const killed = startServer(dataDir, {}, container)
      expect((await killed.said).url).toContain('127.0.0.1')
      killed.process.kill('SIGKILL')
      await once(killed.process, 'exit')
      await utimes(join(dataDir, 'postgres-process'), 1, 1)
      // Other programs have the ids now, also that of the PostgreSQL that was killed.
      const others = 'for i in $(seq 60); do sleep 60 & done; exec "$0" "$@"'
      const next = startServer(dataDir, {}, [...container, 'sh', '-c', others])
      expect((await next.said).url).toContain('127.0.0.1')
    },
  )

  test('a folder that the account cannot reach has its database elsewhere', async () => {
    const folder = await temporaryFolder(0o700)
    const dataDir = join(folder, 'data')
    const first = await start(dataDir)
    await query(first.url, 'create table kept as select 1')
    await first.stop()
    expect(await clusterOf(dataDir)).toMatch(/^\/var\/lib\/bancone\/clusters\//)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    const second = await start(dataDir)
    expect(await query(second.url, 'select * from kept')).toEqual([1])
  })

  test('an ordinary user has all of it in the data folder, and root can go on with it', async () => {
    const folder = await temporaryFolder()
    const account = await findAccount()
    await chown(folder, account.uid, account.gid)
    const server = startServer(join(folder, 'data'), account)
    expect((await server.said).url).toContain('127.0.0.1')
    server.process.kill('SIGTERM')
    await once(server.process, 'exit')
    const database = await start(join(folder, 'data'))
    expect(await query(database.url, 'select 1')).toEqual([1])
  })

  test("PostgreSQL runs as an ordinary user, who is told of root's folder and of another's database", async () => {
    const { cluster, dataDir } = await stoppedServer()
    const { uid, gid } = await findAccount()
    expect([cluster, (await stat(cluster)).uid]).toEqual([join(dataDir, 'postgres'), uid])
    const mine = startServer(dataDir, { uid, gid })
    expect((await mine.said).refused).toContain(`data folder ${dataDir}`)
    await chown(dataDir, uid + 1, gid)
    const other = startServer(dataDir, { uid: uid + 1, gid })
    expect((await other.said).refused).toContain('belongs to another account')
  })
})
