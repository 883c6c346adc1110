import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { Refusal } from './refusal.ts'

/** The size limit of a picture on the smallest plan, in bytes. */
const MAX_BYTES = 10 * 1024 * 1024

export type Form = { fields: Record<string, string>; file: Buffer | undefined }

/** Parses `multipart/form-data`, or a form without a file. @throws Refusal */
export async function readForm(request: IncomingMessage): Promise<Form> {
  const parser = parserOf(request)
  const fields: Record<string, string> = {}
  let file: Promise<Buffer> | undefined
  let isCut = false
  parser.on('field', (name, value) => {
    fields[name] = value
  })
  parser.on('file', (name, stream) => {
    if (name !== 'file') return stream.resume()
    stream.on('limit', () => {
      isCut = true
    })
    file = buffer(stream)
    // Prevents an unhandled rejection before the file is awaited.
    file.catch(() => {})
    return undefined
  })
  await pipeline(request, parser).catch(() => {
    throw new Refusal(400, 'Invalid multipart body')
  })
  const content = await file
  if (isCut) throw new Refusal(400, `File size too large. Maximum is ${MAX_BYTES}.`)
  return { fields, file: content }
}

function parserOf(request: IncomingMessage) {
  try {
    return busboy({ headers: request.headers, limits: { fileSize: MAX_BYTES, files: 1 } })
  } catch {
    throw new Refusal(400, 'Unsupported content type')
  }
}
