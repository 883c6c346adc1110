import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { atEnd } from './at-end.ts'

/** An empty folder, gone at the end of the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-test-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An empty folder, gone at the end of the test file. */
export async function lastingFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-test-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The names of the files in it, however deep; none when it is not there. */
export async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return found.filter((entry) => entry.isFile()).map((entry) => entry.name)
}
