import type { Plugin } from 'vite'

const STAND_IN = '\0without-schemas'

/** Gives itself, whatever it is asked or called for. */
const code = `
const checks = new Set(['parse', 'safeParse', 'parseAsync', 'safeParseAsync'])
const refuse = () => { throw new Error('The public pages are built without schemas') }
export const z = new Proxy(() => z, { get: (_, name) => (checks.has(name) ? refuse : z) })
`

/**
 * The contract's rules stand beside its schemas, which would be a fifth of all that a customer's phone loads, and
 * the public pages ask none: zod stays out, and who asks a schema there all the same is told so.
 */
export function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id === 'zod/mini' ? STAND_IN : null),
    load: (id) => (id === STAND_IN ? code : null),
  }
}
