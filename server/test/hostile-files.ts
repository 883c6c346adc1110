import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bombs } from './hostile/bombs.ts'
import { broken } from './hostile/broken.ts'
import { disguises, polyglots } from './hostile/disguises.ts'
import type { HostileFile } from './hostile/hostile-file.ts'
import { filesWithMetadata } from './hostile/metadata.ts'
import { testFileFolder } from './temporary-folder.ts'

/** Made once for all test files of a worker. */
let made: Promise<HostileFile[][]> | undefined

/** Writes the malicious files to a folder that is removed at the end of the test file. */
export async function hostileFiles(): Promise<{ folder: string; files: HostileFile[] }> {
  const folder = await testFileFolder()
  made ??= Promise.all([disguises(), polyglots(), bombs(), broken(), filesWithMetadata()])
  const files = (await made).flat()
  for (const { name, bytes } of files) await writeFile(join(folder, name), bytes, { flag: 'wx' })
  return { folder, files }
}
