import { createOutbound } from '../src/platform/outbound.ts'
import type { Outbound } from '../src/ports/outbound.ts'

const clients = new Map<string, Outbound>()

/** Sends a request to any origin, as if the operator had configured it. */
export const fetchAnywhere: Outbound['fetch'] = (url, request) => {
  const { origin } = new URL(url)
  const client = clients.get(origin) ?? createOutbound({ allow: [origin], connections: Infinity })
  clients.set(origin, client)
  return client.fetch(url, request)
}
