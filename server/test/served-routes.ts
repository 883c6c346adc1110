import type { FastifyInstance } from 'fastify'

/** The routes of the application under a path, as `GET /a/:b`, sorted. */
export function routesOf(app: FastifyInstance, under: string): string[] {
  const path: string[] = []
  const found = new Set<string>()
  for (const line of app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods = ''] =
      /^([│ ├└─]*)(\S+)(?: \((.+)\))?/.exec(line) ?? []
    if (part === '') continue
    path.length = indent.length / 4 - 1
    path.push(part)
    const url = path.join('')
    for (const method of methods.split(', ').filter(Boolean)) {
      if (url.startsWith(under)) found.add(`${method} ${url}`)
    }
  }
  return [...found].toSorted()
}
