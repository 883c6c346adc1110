import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'e2e',
    include: ['**/*.test.ts'],
    environment: 'node',
    pool: 'forks',
    isolate: false,
    // A journey waits more than it works: three of them keep two cores busy.
    maxWorkers: 3,
    sequence: { groupOrder: 2 },
    globalSetup: ['./global-setup.ts'],
    setupFiles: ['./setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Waits for what must come, on a machine that is busy.
    expect: { poll: { timeout: 5_000 } },
  },
})
