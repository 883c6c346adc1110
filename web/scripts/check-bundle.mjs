// Measures the JavaScript that a browser must load, compressed, before a page can be used. Of the dashboard: the
// entry, the frame and the page, what shows an order there, and everything these import. Of the public pages: all.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const roots = ['index.html', 'src/app/shell/pharmacy-shell.tsx', 'src/app/routes/dashboard.tsx']

// A window has room for one of them, and loads that one alone: the heavier counts.
const items = ['src/features/orders/order-row.tsx', 'src/features/orders/order-card.tsx']

const dist = process.argv[2] ?? fileURLToPath(new URL('../../dist/web', import.meta.url))

const manifestOf = (name) => JSON.parse(readFileSync(join(dist, '.vite', name), 'utf8'))

function walk(manifest, key, files) {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`The build has no chunk for ${key}`)
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) walk(manifest, imported, files)
}

/** What a browser loads that shows what these are the roots of. */
function loadOf(manifest, keys) {
  const files = new Set()
  for (const key of keys) walk(manifest, key, files)
  const scripts = [...files].filter((file) => file.endsWith('.js'))
  const bytes = scripts.reduce(
    (sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length,
    0,
  )
  return { count: scripts.length, bytes }
}

function judge(name, { count, bytes }, limitKb, leastFiles) {
  console.log(`${name}: ${(bytes / 1024).toFixed(1)} of ${limitKb} kB gzip in ${count} files`)
  if (count < leastFiles) {
    console.error(`Only ${count} files were found: the measure is not to be trusted`)
    process.exitCode = 1
  }
  if (bytes > limitKb * 1024) {
    console.error('Over the limit: load what is not needed at once later')
    process.exitCode = 1
  }
}

const staff = manifestOf('manifest.json')
const loads = items.map((item) => loadOf(staff, [...roots, item]))
const [dashboard] = loads.sort((a, b) => b.bytes - a.bytes)
judge('Dashboard, first load', dashboard, 180, 4)

const open = manifestOf('public-manifest.json')
judge('Public page, all of it', loadOf(open, Object.keys(open)), 100, 1)

const priority = manifestOf('priority-manifest.json')
judge('Priority page, all of it', loadOf(priority, Object.keys(priority)), 60, 1)
