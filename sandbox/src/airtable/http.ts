import type { IncomingMessage, ServerResponse } from 'node:http'
import { invalidRequest, notFound, tooLarge } from './api-error.ts'

const MOST_BYTES = 1024 * 1024

/** The names of a path, as they were before they were encoded; a slash at the end says nothing. */
export function partsOf(target: URL): string[] {
  const [, ...parts] = target.pathname.replace(/\/$/, '').split('/')
  try {
    return parts.map(decodeURIComponent)
  } catch {
    throw notFound()
  }
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  // Not piece by piece: a letter of two bytes may be cut in the middle.
  request.setEncoding('utf8')
  let text = ''
  let bytes = 0
  for await (const piece of request) {
    bytes += Buffer.byteLength(String(piece))
    // Listens to the end even so: who is still sending would see a broken connection, not the answer.
    if (bytes <= MOST_BYTES) text += String(piece)
  }
  if (bytes > MOST_BYTES) throw tooLarge()
  if (text === '') return undefined
  try {
    const json: unknown = JSON.parse(text)
    return json
  } catch {
    throw invalidRequest('could not parse request body')
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}
