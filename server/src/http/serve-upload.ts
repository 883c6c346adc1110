import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Endpoint, HandlerResult, Input } from '@bancone/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../base/app-error.ts'
import { drainBody, FILE_BODY_TIMEOUT_MS } from '../platform/request-bodies.ts'
import type { TemporaryFiles } from '../platform/temporary-files.ts'
import { type CallContext, callContext, registerRoute, type SessionFor } from './serve.ts'
import type { Sessions } from './session.ts'

type UploadEndpoint = Endpoint & { upload: NonNullable<Endpoint['upload']> }

/** An uploaded file on the local disk, which is removed after the response. */
export type ReceivedFile = { path: string; bytes: number }

/** An upload whose body has not been read yet. */
export type Upload = {
  /** Receives the file; to be called once. Nothing of it is read before, so that refusing an upload costs nothing. */
  receive(): Promise<ReceivedFile>
}

/**
 * Binds an endpoint whose body is a file. Access is checked before the body is read, and its size is limited. The
 * `Content-Type` is ignored: the content decides the type.
 */
export type ServeUpload = <E extends UploadEndpoint>(
  endpoint: E,
  handler: (
    input: Input<E>,
    session: SessionFor<E>,
    upload: Upload,
    call: CallContext,
  ) => Promise<HandlerResult<E>>,
) => void

export function createServeUpload(
  app: FastifyInstance,
  sessions: Sessions,
  temporaryFiles: Pick<TemporaryFiles, 'create'>,
): ServeUpload {
  return (endpoint, handler) => {
    // An encapsulated context: its content type parsers must not apply to other routes.
    app.register((own, _options, done) => {
      own.removeAllContentTypeParsers()
      own.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body))
      own.addHook('onSend', (request, _reply, payload, sent) => {
        drainBody(request.raw)
        sent(null, payload)
      })
      const config = { bodyTimeoutMs: FILE_BODY_TIMEOUT_MS }
      registerRoute(own, sessions, endpoint, config, async (input, session, reply) => {
        const { raw } = reply.request
        const { maxBytes, tooLargeCode } = endpoint.upload
        if (Number(raw.headers['content-length']) > maxBytes) throw new AppError(tooLargeCode)
        await using file = await temporaryFiles.create()
        const upload: Upload = {
          async receive() {
            const bytes = await write(raw, file.path, maxBytes)
            if (bytes === undefined) throw new AppError(tooLargeCode)
            return { path: file.path, bytes }
          },
        }
        // Both sides of these two are derived from the same endpoint, which the compiler cannot follow.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const answer = await handler(input as never, session as never, upload, callContext(reply))
        return endpoint.response.parse(answer)
      })
      done()
    })
  }
}

/** @returns the size in bytes; undefined when the body is too large, and then the rest of it was not read */
async function write(
  body: IncomingMessage,
  path: string,
  maxBytes: number,
): Promise<number | undefined> {
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    // The stream is not destroyed, so that a sender of too many bytes still gets the response.
    for await (const chunk of chunksOf(body)) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) return undefined
      await file.writeFile(chunk)
    }
    return bytes
  } catch (error) {
    // The client has disconnected.
    if (body.destroyed && !body.readableEnded)
      throw new AppError('request.invalid', { cause: error })
    throw error
  } finally {
    await file.close()
  }
}

function chunksOf(body: IncomingMessage): AsyncIterable<Uint8Array> {
  return body.iterator({ destroyOnReturn: false })
}
