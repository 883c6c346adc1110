import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** An empty folder for copies of pictures, gone at the end of the test file. */
export async function picturesFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-pictures-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  return folder
}
