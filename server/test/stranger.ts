import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { onTestFinished } from 'vitest'

export type Stranger = { url: string; origin: string; asked: number }

/**
 * A server of somebody else, on this machine, that answers as a test wants.
 *
 * @param over when it ends: with the test, unless it is for all of a file
 */
export async function stranger(
  answer: RequestListener,
  over: (end: () => void) => void = onTestFinished,
): Promise<Stranger> {
  const server = createServer((request, response) => {
    there.asked += 1
    // Who is refused hangs up in the middle of it.
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
  const there = { url: `${origin}/`, origin, asked: 0 }
  return there
}
