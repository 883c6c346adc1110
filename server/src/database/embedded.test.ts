import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import * as testing from '../../test/embedded-database.ts'
import { joinEmbedded } from './embedded.ts'

const { insertUntilGone, postmasterPid, query, start, startServer } = testing

/** A data folder that no server has used. */
async function newFolder(mode?: number): Promise<string> {
  return join(await testing.temporaryFolder(mode), 'data')
}

/** A data folder whose server was shut down properly. */
async function usedFolder(): Promise<string> {
  return (await testing.stoppedServer()).dataDir
}

function missing(acknowledged: number[], found: unknown[]): number[] {
  const there = new Set(found)
  return acknowledged.filter((n) => !there.has(n))
}

const another = /^StartupError: Another Bancone server is already using .*data\. Stop it, or set/

describe('a start', () => {
  test('makes a database at first, and later still has what was written', async () => {
    const dataDir = await newFolder()
    const first = await start(dataDir, { settings: { fsync: 'on' } })
    await query(first.url, "create table kept as select 'città' as word")
    // Accented letters are supported, and committed data survives.
    expect(await query(first.url, "select upper('perché')")).toEqual(['PERCHÉ'])
    await query(first.url, 'create extension pg_trgm')
    const similar = "select similarity('è', 'à') < similarity('è', 'È')"
    expect(await query(first.url, similar)).toEqual([true])
    for (const name of ['fsync', 'synchronous_commit', 'data_checksums', 'full_page_writes']) {
      expect(await query(first.url, `show ${name}`), name).toEqual(['on'])
    }
    await Promise.all([first.stop(), first.stop()])
    const second = await start(dataDir)
    expect(await query(second.url, 'select word from kept')).toEqual(['città'])
  })

  test('lets in only who has the password, and only from this machine', async () => {
    const { url } = await start(await usedFolder())
    const wrong = new URL(url)
    wrong.password = 'wrong'
    await expect(query(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
    expect(await query(url, 'show listen_addresses')).toEqual(['127.0.0.1'])
    expect(await query(url, 'show unix_socket_directories')).toEqual([''])
  })

  test('keeps statements and their values out of the log', async () => {
    const dataDir = await usedFolder()
    const { url } = await start(dataDir)
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    await client.query('create table secrets (word text check (length(word) < 3) unique)')
    await expect(client.query("insert into secrets values ('sekret')")).rejects.toThrow('check')
    await expect(client.query('select $1::text from nowhere', ['sekret'])).rejects.toThrow(
      'nowhere',
    )
    const [backend] = await query(
      url,
      "select pid from pg_stat_activity where query like '%nowhere%'",
    )
    const running = client.query("select pg_sleep(60), 'sekret'").catch(() => 'broken')
    process.kill(Number(backend), 'SIGKILL')
    expect(await running).toBe('broken')
    await testing.queryWhenBack(url, 'select 1')
    const log = () => readFile(join(dataDir, 'postgres.log'), 'utf8')
    await expect.poll(log, { timeout: 10_000 }).toContain('was terminated by signal 9')
    expect(await log()).toContain('violates check constraint')
    expect(await log()).not.toContain('sekret')
  })
})

describe('when the server is killed', () => {
  test('the next one stops its PostgreSQL in order and has every acknowledged row', async () => {
    const dataDir = await usedFolder()
    const killed = startServer(dataDir)
    const { url = '' } = await killed.said
    const inserting = insertUntilGone(url)
    await testing.untilInserted(20, inserting.acknowledged)
    const orphan = await postmasterPid(dataDir)
    killed.process.kill('SIGKILL')
    await testing.untilInserted(inserting.acknowledged.length + 20, inserting.acknowledged)
    expect(await joinEmbedded(dataDir)).toBeUndefined()

    const next = await start(dataDir)
    await inserting.done
    expect(await postmasterPid(dataDir)).not.toBe(orphan)
    const found = await query(next.url, 'select n from rows order by n')
    expect(missing(inserting.acknowledged, found)).toEqual([])
  })
})

describe('when PostgreSQL dies', () => {
  test('it comes back at the same address with every acknowledged row, and owned', async () => {
    const dataDir = await usedFolder()
    const { url } = await start(dataDir)
    const inserting = insertUntilGone(url)
    await testing.untilInserted(20, inserting.acknowledged)
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    await inserting.done
    const found = await testing.queryWhenBack(url, 'select n from rows order by n')
    expect(missing(inserting.acknowledged, found)).toEqual([])
    expect((await startServer(dataDir).said).refused).toMatch(another)
  })

  test('again and again, it is given up and said once', async () => {
    const dataDir = await usedFolder()
    const lost: string[] = []
    const database = await start(dataDir, { onLost: (error) => lost.push(error.message) })
    const cluster = await testing.clusterOf(dataDir)
    await testing.spoil(cluster)
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    while (lost.length === 0) await sleep(20)
    await database.stop()
    expect(lost).toEqual([expect.stringMatching(/does not stay up: .*postgres\.log/)])
  })

  test('and a child of it lingers with its memory, it is waited for', async () => {
    const dataDir = await usedFolder()
    const { url } = await start(dataDir)
    const [child] = await query(
      url,
      `select pid from pg_stat_activity where backend_type = 'walwriter'`,
    )
    process.kill(Number(child), 'SIGSTOP')
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    const log = () => readFile(join(dataDir, 'postgres.log'), 'utf8')
    while (!(await log()).includes('pre-existing shared memory block')) await sleep(50)
    process.kill(Number(child), 'SIGCONT')
    expect(await testing.queryWhenBack(url, 'select 1')).toEqual([1])
  })

  test('while it starts again, stopping leaves nothing running', async () => {
    const dataDir = await usedFolder()
    const database = await start(dataDir)
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    await database.stop()
    const again = await start(dataDir)
    expect(await query(again.url, 'select 1')).toEqual([1])
  })

  test('in part, so that the lock is lost, it is taken again', async () => {
    const dataDir = await usedFolder()
    const { url } = await start(dataDir)
    const [backend] = await query(url, `select pid from pg_locks where locktype = 'advisory'`)
    process.kill(Number(backend), 'SIGKILL')
    await testing.untilGone(Number(backend))
    const lock = `select count(*)::int from pg_locks where locktype = 'advisory'`
    while ((await testing.queryWhenBack(url, lock))[0] === 0);
    expect(await joinEmbedded(dataDir)).toBe(url)
  })
})

describe('a second server', () => {
  test('is refused while the first lives, and the first serves on', async () => {
    const dataDir = await usedFolder()
    const { url } = await start(dataDir)
    const pid = await postmasterPid(dataDir)
    expect((await startServer(dataDir).said).refused).toMatch(another)
    expect(await postmasterPid(dataDir)).toBe(pid)
    expect(await query(url, 'select 1')).toEqual([1])
    expect(await joinEmbedded(dataDir)).toBe(url)
  })

  test('starting at the same instant, on new files: exactly one of three wins', async () => {
    // As root the cluster is outside the data folder, so its location is decided concurrently as well.
    await expectOneWinner(await newFolder(0o700))
  })

  test('starting at the same instant, on old files: exactly one of three wins', async () => {
    await expectOneWinner(await usedFolder())
  })

  test('waits for a first one that is stopping', async () => {
    const dataDir = await usedFolder()
    const first = await start(dataDir)
    const stopping = first.stop()
    const second = await start(dataDir)
    await stopping
    expect(await query(second.url, 'select 1')).toEqual([1])
  })

  async function expectOneWinner(dataDir: string): Promise<void> {
    const said = await Promise.all([1, 2, 3].map(() => startServer(dataDir).said))
    const urls = said.flatMap(({ url }) => url ?? [])
    expect(urls, JSON.stringify(said)).toHaveLength(1)
    expect(await query(urls[0] ?? '', 'select 1')).toEqual([1])
    for (const { refused } of said.filter(({ url }) => !url)) expect(refused).toMatch(another)
  }
})

test('nothing is joined where nothing runs', async () => {
  expect(await joinEmbedded(await newFolder())).toBeUndefined()
  expect(await joinEmbedded(await usedFolder())).toBeUndefined()
})
