import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import rules from '../.dependency-cruiser.mjs'
import { checkDependencies } from './check-dependencies.mjs'

/** @param extra what it declares beside zod and a tool */
function manifest(extra: Record<string, string> = {}): string {
  return JSON.stringify({ dependencies: { zod: '1', ...extra }, devDependencies: { tool: '1' } })
}

/** What every tree has: packages, and files to import that do nothing wrong themselves. */
const GROUND = {
  'package.json': JSON.stringify({ devDependencies: { pg: '1', stranger: '1', vitest: '1' } }),
  ...Object.fromEntries(
    ['contract', 'web', 'sandbox', 'e2e'].map((name) => [`${name}/package.json`, manifest()]),
  ),
  'server/package.json': manifest({ kysely: '1', pg: '1' }),
  'tsconfig.base.json': '{}',
  ...Object.fromEntries(
    ['zod', 'kysely', 'pg', 'tool', 'stranger', 'vitest'].flatMap((name) => [
      [`node_modules/${name}/package.json`, `{"name":"${name}","main":"index.js"}`],
      [`node_modules/${name}/index.js`, 'exports.x = 1'],
    ]),
  ),
  'node_modules/zod/mini/index.js': 'exports.x = 1',
  'contract/src/orders.ts': "import 'zod/mini'",
  'server/src/features/orders/orders.service.ts':
    "import type { A } from '../../ports/airtable.ts'",
  'server/src/features/offers/offers.service.ts': "import '../../../../contract/src/orders.ts'",
  'server/src/features/orders/orders.store.ts': "import 'kysely'",
  'server/src/ports/airtable.ts': "import '../../../contract/src/orders.ts'",
  'server/src/adapters/airtable/airtable.ts': "import '../../ports/airtable.ts'",
  'server/src/wiring/wiring.ts':
    "import '../adapters/airtable/airtable.ts'; import '../features/orders/orders.store.ts'",
  'server/src/platform/jobs.ts': "import 'pg'",
  'server/src/demo/demo.ts': "import('../../../sandbox/src/airtable.ts')",
  'server/src/features/orders/orders.test.ts':
    "import 'vitest'; import '../../../../sandbox/src/airtable.ts'",
  'server/src/features/orders/orders.rules.ts':
    "import 'zod'; import '../../../../contract/src/orders.ts'\n" +
    "import type { A } from '../../ports/airtable.ts'; import './page.rules.ts'",
  'server/src/features/orders/page.rules.ts': "import 'zod'",
  'sandbox/src/airtable.ts': "import '../../contract/src/orders.ts'",
  'web/src/features/orders/orders-page.tsx': "import '../../ui/button.tsx'",
  'web/src/features/offers/offers-page.tsx': "import '../../ui/button.tsx'",
  'web/src/ui/button.tsx': "import 'zod/mini'",
  'scripts/chromium.mjs': "import 'node:fs'",
  'e2e/orders.test.ts':
    "import '../contract/src/orders.ts'; import '../scripts/chromium.mjs'; import 'tool'",
  'bench/run.ts': "import '../server/src/wiring/wiring.ts'; import '../sandbox/src/airtable.ts'",
}

/** One file that breaks each rule, and what it says. */
const BREACHES: [rule: string, file: string, text: string][] = [
  ['contract-is-a-leaf', 'contract/src/a.ts', "import 'node:fs'"],
  ['browsers-load-zod-mini', 'contract/src/b.ts', "import 'zod'"],
  ['web-sees-only-contract', 'web/src/app/a.ts', "import '../../../server/src/wiring/wiring.ts'"],
  ['server-sees-only-contract', 'server/src/a.ts', "import '../../web/src/ui/button.tsx'"],
  ['server-tests-build', 'server/test/program.ts', "import '../../scripts/chromium.mjs'"],
  ['sandbox-only-in-demo-and-tests', 'server/src/b.ts', "import '../../sandbox/src/airtable.ts'"],
  ['sandbox-sees-only-contract', 'sandbox/src/a.ts', "import '../../server/src/wiring/wiring.ts'"],
  ['journeys-see-only-contract', 'e2e/a.test.ts', "import '../server/src/wiring/wiring.ts'"],
  ['bench-does-not-see-web', 'bench/a.ts', "import '../web/src/ui/button.tsx'"],
  ['scripts-stand-alone', 'scripts/a.mjs', "import '../contract/src/orders.ts'"],
  [
    'features-never-import-features',
    'server/src/features/orders/a.service.ts',
    "import '../offers/offers.service.ts'",
  ],
  [
    'features-never-import-features',
    'web/src/features/orders/a.tsx',
    "import type { A } from '../offers/offers-page.tsx'",
  ],
  [
    'only-wiring-knows-adapters',
    'server/src/features/orders/b.service.ts',
    "import '../../adapters/airtable/airtable.ts'",
  ],
  ['adapters-know-only-ports', 'server/src/adapters/a.ts', "import '../platform/jobs.ts'"],
  ['ports-know-nothing', 'server/src/ports/a.ts', "import '../platform/jobs.ts'"],
  [
    'foundations-never-import-features',
    'server/src/platform/a.ts',
    "import '../features/orders/orders.store.ts'",
  ],
  [
    'foundations-never-import-features',
    'web/src/lib/a.ts',
    "import '../features/orders/orders-page.tsx'",
  ],
  ['rules-are-pure', 'server/src/features/orders/a.rules.ts', "import 'node:crypto'"],
  ['rules-are-pure', 'server/src/features/orders/b.rules.ts', "import '../../ports/airtable.ts'"],
  ['sql-only-in-stores', 'server/src/features/orders/c.service.ts', "import 'kysely'"],
  ['sql-only-in-stores', 'server/src/http/a.ts', "import type { A } from 'pg'"],
  ['no-circular', 'web/src/lib/b.ts', "import './c.ts'"],
  ['no-orphans', 'web/src/lib/d.ts', 'export const a = 1'],
  ['not-to-unresolvable', 'web/src/lib/e.ts', "import './nowhere.ts'"],
  ['no-undeclared-package', 'server/src/c.ts', "import 'stranger'"],
  ['no-dev-package-in-src', 'server/src/d.ts', "import 'tool'"],
]

let tree: string
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'import rules '))
})
afterAll(() => rm(tree, { recursive: true }))

describe('the import rules', () => {
  it('refuse each thing it forbids, and nothing beside', async () => {
    const broken = Object.fromEntries(BREACHES.map(([, file, text]) => [file, text]))
    broken['web/src/lib/c.ts'] = "import './b.ts'"
    for (const [file, text] of Object.entries({ ...GROUND, ...broken })) {
      const path = join(tree, file)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text)
    }
    const { violations } = await checkDependencies(tree)
    const found = violations.map(({ rule, from }) => `${rule.name} ${from}`)
    const expected = BREACHES.map(([rule, file]) => `${rule} ${file}`)
    expect(new Set(found)).toEqual(new Set(expected))
  })

  it('are all shown to bite', () => {
    const shown = new Set(BREACHES.map(([rule]) => rule))
    expect(
      rules.forbidden?.map(({ name }) => name).filter((name) => !shown.has(name ?? '')),
    ).toEqual([])
  })
})
