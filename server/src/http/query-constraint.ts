import type { FastifyServerOptions } from 'fastify'

type Strategy = NonNullable<
  NonNullable<FastifyServerOptions['routerOptions']>['constraints']
>[string]
type Handler = Parameters<ReturnType<Strategy['storage']>['set']>[1]

/** A Fastify route constraint that distinguishes endpoints of one method and path by their `requiredQuery`. */
export function queryConstraint(): Strategy {
  /** The keys of all routes. */
  const variants = new Map<string, readonly [string, string][]>()
  return {
    name: 'query',
    storage() {
      const handlers = new Map<unknown, Handler>()
      return {
        get: (key) => handlers.get(key) ?? null,
        set(key, handler) {
          handlers.set(key, handler)
          if (key !== '') variants.set(key, [...new URLSearchParams(key)])
        },
      }
    },
    // The empty constraint selects the endpoint without a required query.
    deriveConstraint({ url = '' }) {
      const start = url.indexOf('?')
      if (start === -1) return ''
      const query = new URLSearchParams(url.slice(start))
      for (const [key, required] of variants)
        if (required.every(([name, value]) => query.get(name) === value)) return key
      return ''
    },
  }
}

export function constraintKey(requiredQuery: Readonly<Record<string, string>>): string {
  return new URLSearchParams(requiredQuery).toString()
}
