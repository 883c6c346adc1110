// Measures the JavaScript that a browser must load, compressed, before a page can be used: of the staff application what
// its document names, with the orders, and of the public pages all. Of the charts: their own code, because that is what a
// library would replace.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

/** Of the first load, so that they have no chunk of their own. */
const orders = ['src/app/shell/pharmacy-shell.tsx', 'src/app/routes/dashboard.tsx']

const dist = process.argv[2] ?? fileURLToPath(new URL('../../dist/web', import.meta.url))

const manifestOf = (name) => JSON.parse(readFileSync(join(dist, '.vite', name), 'utf8'))

function walk(manifest, key, files) {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`The build has no chunk for ${key}`)
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) walk(manifest, imported, files)
}

/** What the document of the staff application names. What a chunk of it imports is named there too. */
function loadOfDocument() {
  const staff = manifestOf('manifest.json')
  const later = orders.filter((key) => staff[key])
  if (later.length > 0) throw new Error(`Loaded later, and not measured: ${later.join(', ')}`)
  return weigh(scriptsOfDocument())
}

function scriptsOfDocument() {
  const text = readFileSync(join(dist, 'index.html'), 'utf8')
  return Array.from(text.matchAll(/\/(assets\/[^"]+\.js)"/g), ([, file]) => file)
}

/** The chunks of `dashboard-pieces.ts`, which the dashboard loads by itself after its first rows. */
const pieces = ['pharmacy-frame', 'dashboard-around', 'dashboard-details']
/** Files that are no modules of the build: the workers that poll. */
const workers = ['orderCheckWorker.js', 'intervalWorker.js']

/** All that the dashboard loads when nothing is pressed. A journey counts what a browser loads. */
function loadUntilIdle() {
  const staff = manifestOf('manifest.json')
  const files = new Set(workers)
  for (const name of pieces) {
    const key = Object.keys(staff).find((each) => staff[each].name === name)
    if (!key) throw new Error(`The build has no piece ${name}`)
    walk(staff, key, files)
  }
  for (const file of scriptsOfDocument()) files.add(file)
  return weigh([...files])
}

/** What a page that is opened directly loads besides the first load and the frame. */
function loadOfPage(key) {
  const staff = manifestOf('manifest.json')
  const files = new Set()
  walk(staff, key, files)
  const first = new Set(scriptsOfDocument())
  return weigh([...files].filter((file) => !first.has(file)))
}

/** What a browser loads that shows what these are the roots of. */
function loadOf(manifest, keys) {
  const files = new Set()
  for (const key of keys) walk(manifest, key, files)
  return weigh([...files])
}

function weigh(files) {
  const scripts = files.filter((file) => file.endsWith('.js'))
  const bytes = scripts.reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length,
    0,
  )
  return { count: scripts.length, bytes }
}

/** The code of these files of a folder, and of what they import from it. */
async function codeOf(folder, names) {
  const outside = {
    name: 'outside',
    setup: ({ onResolve }) =>
      onResolve({ filter: /.*/ }, ({ path, resolveDir, kind }) => {
        const isInside =
          path.startsWith('.') && !relative(folder, join(resolveDir, path)).startsWith('..')
        return kind === 'entry-point' || isInside ? undefined : { path, external: true }
      }),
  }
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: names.map((name) => `export * from './${name}'`).join('\n'),
      resolveDir: folder,
    },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    jsx: 'automatic',
    plugins: [outside],
  })
  const bytes = gzipSync(outputFiles[0].contents, { level: 9 }).length
  return { count: Object.keys(metafile.inputs).length - 1, bytes }
}

function judge(name, { count, bytes }, limitKb, leastFiles, mostFiles = Infinity) {
  console.log(`${name}: ${(bytes / 1024).toFixed(1)} of ${limitKb} kB gzip in ${count} files`)
  if (count < leastFiles) {
    console.error(`Only ${count} files were found: the measure is not to be trusted`)
    process.exitCode = 1
  }
  if (count > mostFiles) {
    console.error(`More than ${mostFiles} files: put what is used together into one piece`)
    process.exitCode = 1
  }
  if (bytes > limitKb * 1024) {
    console.error('Over the limit: load what is not needed at once later')
    process.exitCode = 1
  }
}

judge('Dashboard, first load', loadOfDocument(), 150, 2)
judge('Dashboard, until it is idle', loadUntilIdle(), 330, 5, 14)
judge('Login, besides the first load', loadOfPage('src/app/routes/login.tsx'), 65, 2)
judge('Offers, besides it', loadOfPage('src/app/routes/offers.tsx'), 55, 2)
judge('Analytics, besides it', loadOfPage('src/app/routes/analytics-routes.tsx'), 100, 2)
judge('Priority, besides it', loadOfPage('src/app/routes/priority-routes.tsx'), 65, 2)
judge('WhatsApp, besides it', loadOfPage('src/app/routes/whatsapp.tsx'), 90, 2)

const open = manifestOf('public-manifest.json')
judge('Public page, all of it', loadOf(open, Object.keys(open)), 40, 1)

const charts = fileURLToPath(new URL('../src/ui/charts', import.meta.url))
const kinds = ['line-chart.tsx', 'stacked-bar-chart.tsx', 'heat-map.tsx', 'funnel-chart.tsx']
judge('Charts, all of them', await codeOf(charts, kinds), 10, 12)

const priority = manifestOf('priority-manifest.json')
judge('Priority page, all of it', loadOf(priority, Object.keys(priority)), 60, 1)
