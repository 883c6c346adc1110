// @ts-check
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { ROOT, Stop } from './command.mjs'
import { filesBelow } from './source-files.mjs'
import { runNode, tool } from './tools.mjs'

const COMPRESSED = /\.(?:js|css|html|svg|json|webmanifest)$/
/** Below this the headers of a reply weigh more than what compression saves. */
const WORTH_COMPRESSING = 1024

/** The builds for customers, each with its document. */
const CUSTOMERS = [
  { config: 'vite.public.config.ts', document: 'offers.html' },
  { config: 'vite.priority.config.ts', document: 'priority.html' },
]

/**
 * Builds the browser's side into `folder`, compresses it ahead of time, and checks its weight. What draws the
 * public pages on the server goes into `ssrFolder`.
 * @param {string} folder
 * @param {string} ssrFolder
 */
export async function buildWeb(folder, ssrFolder) {
  // React and Vite read NODE_ENV: a build is for production, whatever the environment says.
  const env = { ...process.env, NODE_ENV: 'production' }
  /** @param {string[]} options */
  const vite = (...options) =>
    must('vite build', [tool('vite'), 'build', 'web', '--logLevel', 'warn', ...options], env)
  async function customers() {
    for (const { config, document } of CUSTOMERS) {
      const of = ['--config', join('web', config)]
      await vite(...of, '--outDir', folder)
      await vite(...of, '--ssr', '--outDir', ssrFolder)
      // What the pages are drawn into is none.
      renameSync(join(folder, document), join(ssrFolder, document))
    }
  }
  await Promise.all([vite('--outDir', folder), customers()])
  await compress(folder)
  const budget = join(ROOT, 'web', 'scripts', 'check-bundle.mjs')
  await must('The check of the bundle', [budget, folder], env)
}

/**
 * @param {string} what
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
async function must(what, args, env) {
  const { code } = await runNode(args, { show: true, env })
  if (code !== 0) throw new Stop(`${what} failed, see above.`)
}

/** @param {string} folder */
async function compress(folder) {
  const files = filesBelow(['.'], folder).filter((file) => COMPRESSED.test(file))
  await Promise.all(
    files.map(async (file) => {
      const path = join(folder, file)
      const content = readFileSync(path)
      if (content.length < WORTH_COMPRESSING) return
      const [br, gz] = await Promise.all([brotli(content), promisify(gzip)(content, { level: 9 })])
      writeFileSync(`${path}.br`, br)
      writeFileSync(`${path}.gz`, gz)
    }),
  )
}

/** The highest quality but one: the highest takes twice as long, a quarter of a build, for two per cent of the bytes. */
const QUALITY = constants.BROTLI_MAX_QUALITY - 1

/** @param {Buffer} content */
function brotli(content) {
  return promisify(brotliCompress)(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  })
}
