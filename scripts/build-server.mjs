// @ts-check
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire, isBuiltin } from 'node:module'
import { basename, join, relative, sep } from 'node:path'
import { decode, encode } from '@jridgewell/sourcemap-codec'
import { ROOT, Stop } from './command.mjs'

const DATABASE = join(ROOT, 'server', 'src', 'database')

/** The server, its commands, and the program that it starts by itself and finds beside itself. */
const PROGRAMS = [
  'main',
  'commands/admin-create',
  'commands/keys-rotate',
  'commands/backup',
  'commands/restore',
  'commands/export',
  'commands/import',
  'adapters/sharp-pictures/picture-process',
]

/** Stand-ins for outside services as programs of their own, which journeys start and stop. */
const STAND_INS = { 'sandbox-airtable': 'main', 'sandbox-push': 'push-main' }

/**
 * Bundles the server into `folder`. Packages stay outside, in node_modules; our own workspaces are
 * TypeScript, which Node does not read, so they go in. Files stay side by side in one folder, so that
 * code finds the schema files beside itself whichever chunk it landed in.
 * @param {string} folder
 */
export async function buildServer(folder) {
  refuseNested()
  const { build, stop } = await import('esbuild')
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      ...Object.fromEntries(
        PROGRAMS.map((path) => [basename(path), join(ROOT, 'server', 'src', `${path}.ts`)]),
      ),
      ...Object.fromEntries(
        Object.entries(STAND_INS).map(([name, path]) => [
          name,
          join(ROOT, 'sandbox', 'src', `${path}.ts`),
        ]),
      ),
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    plugins: [bundleWorkspaces(), findNested(folder), leavePackages()],
    chunkNames: '[name]-[hash]',
    banner: { js: REQUIRE },
    minifyWhitespace: true,
    // Node prints the line of an error that nothing catches.
    lineLimit: 160,
    sourcesContent: false,
    sourcemap: true,
    metafile: true,
    logLevel: 'warning',
  }).catch(() => {
    // It has said what and where; the stack would be esbuild's own.
    throw new Stop('The server could not be built, see above.')
  })
  // Its process would stay as long as this one, which may go on as the server.
  await stop()
  refuseAtStart(result.metafile.outputs)
  for (const output of Object.keys(result.metafile.outputs)) {
    if (output.endsWith('.js')) keepOneByte(join(ROOT, output))
    if (output.endsWith('.map')) keepLines(join(ROOT, output))
  }
  for (const name of ['schema', 'migrations']) {
    if (existsSync(join(DATABASE, name)))
      cpSync(join(DATABASE, name), join(folder, name), { recursive: true })
  }
}

/**
 * Escapes what is not Latin-1, which regular expressions may have. One such character makes V8 keep the whole file with
 * two bytes a character, several megabytes in all.
 * @param {string} file
 */
function keepOneByte(file) {
  const text = readFileSync(file, 'utf8')
  const escaped = text.replace(
    /[^\0-\xff]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  if (escaped !== text) writeFileSync(file, escaped)
}

/**
 * Keeps of a source map what stack traces show: the lines of our own sources. Node reads the maps at every start, and
 * when the first stack trace is needed it decodes that of the file: with columns, names and packages 35 MB and 180 ms.
 * @param {string} file
 */
function keepLines(file) {
  /** @type {{ sources: string[], mappings: string }} */
  const map = JSON.parse(readFileSync(file, 'utf8'))
  const sources = map.sources.filter((name) => !name.includes('node_modules/'))
  const own = map.sources.map((name) => sources.indexOf(name))
  const lines = decode(map.mappings).map((segments) => {
    let last = ''
    return segments.flatMap(([at, source = -1, line = 0]) => {
      const place = own[source] ?? -1
      const name = `${place}:${place < 0 ? '' : line}`
      if (name === last) return []
      last = name
      /** @type {[number] | [number, number, number, number]} */
      const kept = place < 0 ? [at] : [at, place, line, 0]
      return [kept]
    })
  })
  writeFileSync(file, JSON.stringify({ ...map, sources, names: [], mappings: encode(lines) }))
}

/**
 * Packages that every start of the server loads. As single modules they are 760 files, which take a fifth of its
 * processor time to find and read. Not among them: packages that find their own files, have native parts, or are used
 * by such packages as well.
 */
const BUNDLED = [
  '@fastify/cors',
  '@fastify/static',
  'bowser',
  'fastify',
  'ipaddr.js',
  'isbot',
  'jose',
  'kysely',
  'lru-cache',
  'p-queue',
  'rate-limiter-flexible',
  'secure-json-parse',
  'ws',
  'zod',
]

/** Packages outside the bundle that every start loads. Larger ones wait until they are used, which they rarely are. */
const AT_START = ['graphile-worker', 'pg', 'pino']

/**
 * One static import is enough to undo that a package is imported dynamically elsewhere.
 * @param {import('esbuild').Metafile['outputs']} outputs
 */
function refuseAtStart(outputs) {
  const loaded = Object.keys(outputs).filter((path) =>
    ['server/src/main.ts', 'server/src/start/server.ts'].some((start) =>
      outputs[path]?.entryPoint?.endsWith(start),
    ),
  )
  if (loaded.length !== 2) throw new Stop('The entries of the start of the server are not found.')
  for (const path of loaded) {
    for (const { path: name, kind, external } of outputs[path]?.imports ?? []) {
      if (kind !== 'import-statement' || isBuiltin(name)) continue
      if (!external) {
        if (!loaded.includes(name)) loaded.push(name)
      } else if (!AT_START.includes(name)) {
        throw new Stop(
          `${name} is loaded by every start of the server: import it where it is used.`,
        )
      }
    }
  }
}

/** What packages in the bundle require at run time. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module';const require = requireFrom(import.meta.url);"

/** @returns {import('esbuild').Plugin} */
function leavePackages() {
  return {
    name: 'leave-packages',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
        const isBundled = BUNDLED.some((name) => path === name || path.startsWith(`${name}/`))
        // What bundled packages use goes in, too.
        if (isBundled || importer.includes('node_modules')) return undefined
        return { path, external: true }
      })
    },
  }
}

/** @returns {import('esbuild').Plugin} */
function bundleWorkspaces() {
  return {
    name: 'bundle-workspaces',
    setup(build) {
      build.onResolve({ filter: /^@bancone\// }, ({ path }) => {
        const [, workspace = '', ...rest] = path.split('/')
        return { path: join(ROOT, workspace, 'src', `${rest.join('/')}.ts`) }
      })
    },
  }
}

/**
 * What stands in for outside services is only started on the machine it was installed on: a package that npm
 * had to put into the sandbox's own node_modules is found there.
 * @param {string} folder
 * @returns {import('esbuild').Plugin}
 */
function findNested(folder) {
  const sandbox = join(ROOT, 'sandbox')
  const { resolve } = createRequire(join(sandbox, 'package.json'))
  return {
    name: 'find-nested',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, resolveDir }) => {
        const isNested = existsSync(join(sandbox, 'node_modules', path))
        if (!isNested || !resolveDir.startsWith(join(sandbox, 'src'))) return undefined
        return { path: relative(folder, resolve(path)).split(sep).join('/'), external: true }
      })
    },
  }
}

/**
 * The bundle lies in dist/, where only the packages at the root are found. One that npm had to put
 * into a workspace's own node_modules would be missing at run time, or be another version.
 */
function refuseNested() {
  for (const workspace of ['server', 'contract']) {
    /** @type {{ dependencies: Record<string, string> }} */
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'))
    for (const name of Object.keys(dependencies)) {
      if (BUNDLED.includes(name) || !existsSync(join(ROOT, workspace, 'node_modules', name)))
        continue
      throw new Stop(
        `${name} is in ${workspace}/node_modules, where the built server cannot find it: ` +
          `two workspaces ask for different versions of it.`,
      )
    }
  }
}
