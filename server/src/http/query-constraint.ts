import type { Endpoint } from '@bancone/contract/endpoint'
import type { FastifyServerOptions } from 'fastify'

type Strategy = NonNullable<
  NonNullable<FastifyServerOptions['routerOptions']>['constraints']
>[string]
type Handler = Parameters<ReturnType<Strategy['storage']>['set']>[1]

/** A Fastify route constraint that distinguishes endpoints of one method and path by their `requiredQuery`. */
export function queryConstraint(endpoints: readonly Endpoint[]): Strategy {
  const variants = endpoints.flatMap(({ requiredQuery }) => (requiredQuery ? [requiredQuery] : []))
  return {
    name: 'query',
    storage() {
      const handlers = new Map<unknown, Handler>()
      return {
        get: (key) => handlers.get(key) ?? null,
        set: (key, handler) => void handlers.set(key, handler),
      }
    },
    // The empty constraint selects the endpoint without a required query.
    deriveConstraint({ url = '' }) {
      const start = url.indexOf('?')
      if (start === -1) return ''
      const query = new URLSearchParams(url.slice(start))
      const variant = variants.find((each) =>
        Object.entries(each).every(([name, value]) => query.get(name) === value),
      )
      return variant ? constraintKey(variant) : ''
    },
  }
}

export function constraintKey(requiredQuery: Readonly<Record<string, string>>): string {
  return new URLSearchParams(requiredQuery).toString()
}
