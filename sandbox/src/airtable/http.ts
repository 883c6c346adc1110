import type { IncomingMessage, ServerResponse } from 'node:http'
import { invalidRequest, notFound, tooLarge } from './api-error.ts'

const MAX_BYTES = 1024 * 1024

/** The decoded segments of a path; a trailing slash is ignored. */
export function pathSegments(target: URL): string[] {
  const [, ...parts] = target.pathname.replace(/\/$/, '').split('/')
  try {
    return parts.map(decodeURIComponent)
  } catch {
    throw notFound()
  }
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  // Decodes across chunks: a character of several bytes may be split.
  request.setEncoding('utf8')
  let text = ''
  let bytes = 0
  for await (const piece of request) {
    bytes += Buffer.byteLength(String(piece))
    // Reads the body to its end: a client that is still sending would see a broken connection instead of the
    // response.
    if (bytes <= MAX_BYTES) text += String(piece)
  }
  if (bytes > MAX_BYTES) throw tooLarge()
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
