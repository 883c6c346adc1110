import type { IncomingMessage } from 'node:http'

/** How many bytes are read and discarded after the response, and for how many milliseconds. */
const DRAINED = { bytes: 64 * 1024 * 1024, ms: 10_000 }

/**
 * Reads and discards the rest of a request body, within limits, and then closes the connection. Many clients read the
 * response only after they have sent the body; if the connection were closed earlier, they would not get it.
 */
export function drainBody(body: IncomingMessage): void {
  if (body.readableEnded) return
  // This closes the connection too.
  const end = () => void body.destroy()
  const timer = setTimeout(end, DRAINED.ms)
  let bytes = 0
  body.on('data', (piece: Uint8Array) => {
    bytes += piece.byteLength
    if (bytes > DRAINED.bytes) end()
  })
  for (const over of ['end', 'close']) body.once(over, () => clearTimeout(timer))
  body.resume()
}
