import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const WORKSPACES = ['contract', 'server', 'sandbox', 'web', 'e2e']

export default defineConfig({
  test: {
    // All projects but the journeys share these workers. One more than processors: while a test of
    // the server waits for a program, a clock or the database, another one runs.
    maxWorkers: availableParallelism() + 1,
    // A workspace joins with its own configuration. That none is forgotten is checked where the
    // tests are counted: every test file on disk must have run.
    projects: [
      ...WORKSPACES.filter((name) =>
        existsSync(new URL(`${name}/vitest.config.ts`, import.meta.url)),
      ),
      { test: { name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: 20_000 } },
    ],
  },
})
