import { defineConfig } from 'vitest/config'

/** The tests of pure rules, which need neither a database nor a window: what `npm run mutation` runs. */
export default defineConfig({
  test: { include: ['contract/src/**/*.test.ts', 'server/src/**/*.rules.test.ts'] },
})
