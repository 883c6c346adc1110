// Measures the JavaScript a browser must load, compressed, before the dashboard can be used: the
// entry, the frame and the page of the dashboard, what shows an order there, and everything these import.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const LIMIT_KB = 180
const LEAST_FILES = 4
const roots = ['index.html', 'src/app/shell/pharmacy-shell.tsx', 'src/app/routes/dashboard.tsx']

// A window has room for one of them, and loads that one alone: the heavier counts.
const items = ['src/features/orders/order-row.tsx', 'src/features/orders/order-card.tsx']

const dist = process.argv[2] ?? fileURLToPath(new URL('../../dist/web', import.meta.url))
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'))

function walk(key, files) {
  const chunk = manifest[key]
  if (!chunk) throw new Error(`The build has no chunk for ${key}`)
  if (files.has(chunk.file)) return
  files.add(chunk.file)
  for (const imported of chunk.imports ?? []) walk(imported, files)
}

/** What a browser loads that shows the orders with `item`. */
function loadWith(item) {
  const files = new Set()
  for (const root of [...roots, item]) walk(root, files)
  const bytes = [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0)
  return { files, bytes }
}

const [{ files, bytes }] = items.map(loadWith).sort((a, b) => b.bytes - a.bytes)
const size = (bytes / 1024).toFixed(1)
console.log(`Dashboard, first load: ${size} of ${LIMIT_KB} kB gzip in ${files.size} files`)
if (files.size < LEAST_FILES) {
  console.error(`Only ${files.size} files were found: the measure is not to be trusted`)
  process.exitCode = 1
}
if (bytes > LIMIT_KB * 1024) {
  console.error('Over the limit: load what is not needed at once later')
  process.exitCode = 1
}
