import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { atEnd } from './at-end.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sources = join(root, 'server', 'src', 'adapters', 'sharp-pictures')

/**
 * The picture renderer, bundled as in production, until the test file ends. From the sources, each rendering
 * process takes three times as long to start. @returns the file of `createSharpPictures`
 */
export async function bundledPictureRenderer(): Promise<string> {
  // Inside the project, so that its packages are found.
  const folder = await mkdtemp(join(root, 'node_modules', '.bancone-pictures-'))
  atEnd(() => rm(folder, { recursive: true, force: true }))
  await build({
    entryPoints: ['sharp-pictures.ts', 'picture-process.ts'].map((name) => join(sources, name)),
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
  })
  return pathToFileURL(join(folder, 'sharp-pictures.js')).href
}
