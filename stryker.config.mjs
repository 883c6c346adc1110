// @ts-check
import { codeFiles } from './scripts/source-files.mjs'

/** Tests beside pure code. */
const tests = codeFiles(['contract/src', 'server/src']).filter((file) =>
  /^contract\/.*\.test\.ts$|\.rules\.test\.ts$/.test(file),
)

/** `npm run mutation`: changes pure rules in small ways, and shows which changes no test notices. */
export default {
  testRunner: 'vitest',
  vitest: { configFile: 'vitest.rules.config.ts' },
  mutate: tests.map((file) => file.replace('.test.ts', '.ts')),
  reporters: ['clear-text', 'progress'],
  tempDirName: 'dist/mutation',
  // Without tsconfig.json, which it would rewrite with a compiler of its own.
  ignorePatterns: ['dist', 'data', 'tsconfig.json'],
}
