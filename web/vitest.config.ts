import react from '@vitejs/plugin-react'
import { defineProject } from 'vitest/config'

export default defineProject({
  plugins: [react()],
  test: {
    name: 'web',
    environment: 'jsdom',
    // Most of what a test makes is garbage at its end: a larger young generation collects it for less.
    execArgv: ['--max-semi-space-size=64'],
    // The files of a worker share its modules and its window, which the setup empties after each test.
    isolate: false,
    environmentOptions: { jsdom: { url: 'http://localhost:3000/' } },
    setupFiles: ['./test/setup.ts'],
    include: ['src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
    testTimeout: 60_000,
    // Waits for what must come, on a machine that is busy.
    expect: { poll: { timeout: 5_000 } },
  },
})
