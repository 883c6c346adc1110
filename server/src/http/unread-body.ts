import type { IncomingMessage } from 'node:http'

/** Bytes that are read after the answer and thrown away, and milliseconds for them. */
const DRAINED = { bytes: 64 * 1024 * 1024, ms: 10_000 }

/**
 * Lets what is still sent come for a while, and then ends the connection. Who sends reads an answer only
 * after that, and would find the connection broken instead of it.
 */
export function drain(body: IncomingMessage): void {
  if (body.readableEnded) return
  // Its connection goes with it.
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
