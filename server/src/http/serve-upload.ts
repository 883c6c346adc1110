import { open } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { Answer, Endpoint, Input } from '@bancone/contract/endpoint'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../app-error.ts'
import type { Scratch } from '../platform/scratch.ts'
import { FILE_BODY_MS } from './body-time.ts'
import { type Call, callOf, route, type SessionFor } from './serve.ts'
import type { Sessions } from './session.ts'
import { drain } from './unread-body.ts'

type UploadEndpoint = Endpoint & { upload: NonNullable<Endpoint['upload']> }

/** A file that was sent, on this machine's disk until it has been answered. */
export type ReceivedFile = { path: string; bytes: number }

/** A file that is about to be sent. */
export type Upload = {
  /** Takes it, once. Until then nothing of it is read: who may send no more is refused at no cost. */
  receive(): Promise<ReceivedFile>
}

/**
 * Binds an endpoint whose body is a file: checks who calls before anything of it is read, and lets through
 * no more than it may have. What its type is said to be is not asked: the content decides.
 */
export type ServeUpload = <E extends UploadEndpoint>(
  endpoint: E,
  handler: (
    input: Input<E>,
    session: SessionFor<E>,
    upload: Upload,
    call: Call,
  ) => Promise<Answer<E>>,
) => void

export function createServeUpload(
  app: FastifyInstance,
  sessions: Sessions,
  scratch: Pick<Scratch, 'file'>,
): ServeUpload {
  return (endpoint, handler) => {
    // A house of its own, since what is said of bodies there is not for the others.
    app.register((own, _options, done) => {
      own.removeAllContentTypeParsers()
      own.addContentTypeParser('*', (_request, body, parsed) => parsed(null, body))
      own.addHook('onSend', (request, _reply, payload, sent) => {
        drain(request.raw)
        sent(null, payload)
      })
      const config = { bodyTimeMs: FILE_BODY_MS }
      route(own, sessions, endpoint, config, async (input, session, reply) => {
        const { raw } = reply.request
        const { mostBytes, tooLarge } = endpoint.upload
        if (Number(raw.headers['content-length']) > mostBytes) throw new AppError(tooLarge)
        await using file = await scratch.file()
        const upload: Upload = {
          async receive() {
            const bytes = await write(raw, file.path, mostBytes)
            if (bytes === undefined) throw new AppError(tooLarge)
            return { path: file.path, bytes }
          },
        }
        // Both sides of these two are derived from the same endpoint, which the compiler cannot follow.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        const answer = await handler(input as never, session as never, upload, callOf(reply))
        return endpoint.response.parse(answer)
      })
      done()
    })
  }
}

/** @returns how many bytes it has; undefined when those are too many, and the rest was not read */
async function write(
  body: IncomingMessage,
  path: string,
  mostBytes: number,
): Promise<number | undefined> {
  const file = await open(path, 'wx', 0o600)
  try {
    let bytes = 0
    // The connection outlives it: who sends too much is told so.
    for await (const piece of piecesOf(body)) {
      bytes += piece.byteLength
      if (bytes > mostBytes) return undefined
      await file.writeFile(piece)
    }
    return bytes
  } catch (error) {
    // Nobody is there to be told.
    if (body.destroyed && !body.readableEnded)
      throw new AppError('request.invalid', { cause: error })
    throw error
  } finally {
    await file.close()
  }
}

function piecesOf(body: IncomingMessage): AsyncIterable<Uint8Array> {
  return body.iterator({ destroyOnReturn: false })
}
