import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'

/** Runs a script of `web/public` in an isolated context with only these globals. */
export function runPublicScript(name: string, globals: Record<string, unknown>) {
  const path = join(import.meta.dirname, '../public', name)
  runInNewContext(readFileSync(path, 'utf8'), globals, { filename: name })
}
