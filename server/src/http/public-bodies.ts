import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../platform/rate-limits.ts'
import { hasBody } from './body-timeout.ts'

/** Bytes held at the same time: of all networks, and of one. The largest body without a session is a webhook of 3 MB. */
const MAX_BYTES = { ofAll: 32 * 1024 * 1024, ofNetwork: 4 * 1024 * 1024 }

const REFUSAL =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 2\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/**
 * Bounds the memory that bodies of strangers take together. A body that does not fit is refused at once, and its
 * connection is closed. What has arrived is counted, not what was announced, so that announcing takes no room.
 *
 * @param isAuthenticated whether access was granted before the body is read; such bodies are not counted
 */
export function limitPublicBodies(
  app: FastifyInstance,
  isAuthenticated: (request: FastifyRequest) => boolean,
  max = MAX_BYTES,
): void {
  let ofAll = 0
  const ofNetworks = new Map<string, number>()

  function add(network: string, bytes: number) {
    ofAll += bytes
    const held = (ofNetworks.get(network) ?? 0) + bytes
    if (held === 0) ofNetworks.delete(network)
    else ofNetworks.set(network, held)
  }

  const fits = (network: string, bytes: number) =>
    ofAll + bytes <= max.ofAll && (ofNetworks.get(network) ?? 0) + bytes <= max.ofNetwork

  app.addHook('preParsing', (request, reply, _payload, done) => {
    const { raw, routeOptions } = request
    // Files are streamed to the disk, after access has been checked.
    const isFile = routeOptions.config.bodyTimeoutMs !== undefined
    if (!hasBody(raw) || isFile || isAuthenticated(request)) return done()
    const network = networkOf(request.ip)
    const refuse = () => {
      raw.socket.write(REFUSAL)
      raw.socket.destroySoon()
    }
    const announced = Number(raw.headers['content-length'] ?? 0)
    // Fastify refuses what is too large for the route.
    if (announced <= routeOptions.bodyLimit && !fits(network, announced)) refuse()
    let held = 0
    const count = ({ byteLength }: Uint8Array) => {
      if (!fits(network, byteLength)) {
        raw.off('data', count)
        return refuse()
      }
      held += byteLength
      add(network, byteLength)
    }
    raw.on('data', count)
    // After the response, or when the client has disconnected.
    reply.raw.once('close', () => {
      raw.off('data', count)
      add(network, -held)
    })
    done()
  })
}
