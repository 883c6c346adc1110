import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A new, empty data folder with a space in its name. */
export function newDataFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'bancone e2e '))
}

/** A copy of the data folder of a server that was stopped in order, for another server. */
export async function copyDataFolder(from: string): Promise<string> {
  const to = `${from}-${randomBytes(4).toString('hex')}`
  await copy(from, to)
  const elsewhere = await databaseElsewhere(to)
  if (elsewhere) {
    const cluster = `${elsewhere}-${randomBytes(4).toString('hex')}`
    await copy(elsewhere, cluster)
    await writeFile(locationFile(to), cluster)
  }
  return to
}

/** Removes the folder of a server that has ended. */
export async function removeDataFolder(folder: string): Promise<void> {
  const elsewhere = await databaseElsewhere(folder)
  if (elsewhere) await rm(elsewhere, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}

/** Where the files of its PostgreSQL are. */
export async function databaseFolder(dataDir: string): Promise<string> {
  return (await databaseElsewhere(dataDir)) ?? join(dataDir, 'postgres')
}

/** Started as root, the database may lie where an ordinary account reaches it. */
async function databaseElsewhere(dataDir: string): Promise<string | undefined> {
  const text = await readFile(locationFile(dataDir), 'utf8').catch(() => '')
  return text.trim() || undefined
}

function locationFile(dataDir: string): string {
  return join(dataDir, 'postgres-location')
}

/** Copies a folder with its modes and, as root, its owners: PostgreSQL runs as one of them. */
async function copy(from: string, to: string): Promise<void> {
  if (process.platform === 'win32') await cp(from, to, { recursive: true })
  else await promisify(execFile)('cp', ['-a', from, to])
}
