import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { atEnd } from './at-end.ts'

/** An empty folder, removed at the end of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An empty folder, removed at the end of the test file. */
export async function testFileFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The names of all files in the folder, at any depth; none when it does not exist. */
export async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
}
