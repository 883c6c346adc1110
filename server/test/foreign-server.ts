import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

export type ForeignServer = { url: string; origin: string; requestCount: number }

/**
 * A local server of a third party, with responses that the test chooses.
 *
 * @param over registers the end: that of the test by default
 */
export async function foreignServer(
  answer: RequestListener,
  over: (end: () => void) => void = onTestFinished,
): Promise<ForeignServer> {
  const server = createServer((request, response) => {
    there.requestCount += 1
    // A refused client disconnects during the response.
    response.on('error', () => {})
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  over(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port')
  const origin = `http://127.0.0.1:${address.port}`
  const there = { url: `${origin}/`, origin, requestCount: 0 }
  return there
}
