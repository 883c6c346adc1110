import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'sandbox',
    include: ['src/**/*.test.ts'],
    environment: 'node',
    isolate: false,
    setupFiles: ['./test/setup.ts'],
    testTimeout: 20_000,
  },
})
