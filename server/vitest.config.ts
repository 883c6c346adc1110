import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    include: ['{src,test}/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    // Each worker has a database of its own on one PostgreSQL; more would only wait for it.
    maxWorkers: 2,
    // A number of workers of its own asks for a turn of its own.
    sequence: { groupOrder: 1 },
    testTimeout: 20_000,
    hookTimeout: 30_000,
    globalSetup: ['./test/database-setup.ts'].filter(isThere),
    setupFiles: ['./test/setup.ts'].filter(isThere),
  },
})

function isThere(file: string): boolean {
  return existsSync(new URL(file, import.meta.url))
}
