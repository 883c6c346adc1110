import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../src/database/embedded.ts'
import { runtimeUrl } from '../src/database/runtime-role.ts'
import { prepareDatabase } from '../src/start/prepare-database.ts'
import { silentLog } from './silent-log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of the template database: migrated and empty. */
    databaseUrl: string
    /** The same, as the role that the running server works as. */
    runtimeUrl: string
  }
}

const template = 'bancone_template'

/** One real PostgreSQL for all server tests, without fsync. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bancone test '))
  const embedded = await startEmbedded({
    dataDir,
    log: silentLog,
    onLost: (error) => {
      throw error
    },
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      // The servers of several test files share it.
      max_connections: '150',
    },
  })
  const client = new pg.Client({ connectionString: embedded.url })
  await client.connect()
  await client.query(`create database ${template}`)
  await client.end()
  const url = new URL(embedded.url)
  url.pathname = `/${template}`
  const runtime = await prepareDatabase(url.href, silentLog, (owner) =>
    runtimeUrl(owner, url.href, randomBytes(32), silentLog),
  )
  project.provide('databaseUrl', url.href)
  project.provide('runtimeUrl', runtime)
  return async () => {
    await embedded.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
