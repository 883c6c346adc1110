import { existsSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'server',
    include: ['{src,test}/**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    // The files of a worker share its modules: loading them anew for each took a third of the time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Waits for what must come, on a machine that is busy.
    expect: { poll: { timeout: 5_000 } },
    globalSetup: ['./test/database-setup.ts'].filter(isThere),
    setupFiles: ['./test/setup.ts'].filter(isThere),
  },
})

function isThere(file: string): boolean {
  return existsSync(new URL(file, import.meta.url))
}
