import { sql } from 'kysely'
import PQueue from 'p-queue'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Log } from '../../ports/log.ts'
import type { Events } from '../events.ts'
import type { Message } from './frames.ts'
import { HttpError, type Limits, type Rates } from './limits.ts'
import { PresenceDiff, RELAY_CHANNEL } from './presence.store.ts'

/** The maximum size of a notification, in bytes; PostgreSQL's limit is 8000. */
const MAX_BYTES = 7_900

const Body = z.union([
  z.object({ topic: z.string(), event: z.string(), bytes: z.string() }),
  z.object({ topic: z.string(), event: z.string(), payload: z.unknown() }),
])

/** A message, or the id of a stored one that is too large for a notification. */
const Note = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('told'), node: z.string(), body: Body }),
  z.object({ kind: z.literal('kept'), node: z.string(), topic: z.string(), id: z.string() }),
  PresenceDiff,
])

type Dependencies = {
  db: Database
  events: Events
  /** The id of this process. It ignores its own notifications, which it has delivered already. */
  node: string
  limits: Pick<Limits, 'outbox' | 'outboxBytes'>
  isWithin: Rates
  /** Milliseconds for which large messages are stored. */
  retentionMs: number
  hasSubscribers(topic: string): boolean
  deliver(message: Message): void
  onPresence(diff: PresenceDiff): void
  inTurn(work: () => Promise<void>): Promise<void>
  log: Pick<Log, 'warn'>
}

/** Relays messages to the other processes, in order. */
export function createRelay(dependencies: Dependencies) {
  const { db, events, node, limits, isWithin, hasSubscribers, deliver, onPresence, inTurn, log } =
    dependencies
  const outbox = new PQueue({ concurrency: 1 })
  let waitingBytes = 0

  /** @param body as JSON, so that its length is the memory it takes in the queue */
  async function send(topic: string, body: Buffer): Promise<void> {
    const head = `{"kind":"told","node":"${node}","body":`
    if (head.length + body.length < MAX_BYTES) {
      await events.notify(RELAY_CHANNEL, `${head}${body.toString()}}`)
      return
    }
    const isRoom = await isWithin('stored-bytes', '', body.length)
    if (!isRoom) throw new HttpError(503, 'Too many large messages')
    const { id } = await db
      .insertInto('realtime_messages')
      .values({ body })
      .returning('id')
      .executeTakeFirstOrThrow()
    await events.notify(RELAY_CHANNEL, JSON.stringify({ kind: 'kept', node, topic, id }))
  }

  async function receive(text: string): Promise<void> {
    const note = Note.parse(JSON.parse(text))
    if (note.kind === 'presence') {
      onPresence(note)
      return
    }
    if (note.node === node) return
    if (note.kind === 'told') {
      deliver(messageOf(note.body))
      return
    }
    if (!hasSubscribers(note.topic)) return
    const stored = await db
      .selectFrom('realtime_messages')
      .select('body')
      .where('id', '=', note.id)
      .executeTakeFirst()
    if (stored) deliver(messageOf(Body.parse(JSON.parse(stored.body.toString()))))
  }

  const stopListening = events.on(RELAY_CHANNEL, (text) => {
    inTurn(() => receive(text)).catch((error: unknown) => {
      log.warn({ err: error }, 'a message of another process was lost')
    })
  })

  return {
    /** @throws when the message cannot reach the other processes */
    async publish(message: Message): Promise<void> {
      const body = Buffer.from(JSON.stringify(bodyOf(message)))
      if (outbox.size >= limits.outbox || waitingBytes + body.length > limits.outboxBytes) {
        throw new HttpError(503, 'Too many messages wait')
      }
      waitingBytes += body.length
      try {
        await outbox.add(() => send(message.topic, body))
      } finally {
        waitingBytes -= body.length
      }
    },

    /** Deletes large messages after their retention time. */
    async cleanUp(): Promise<void> {
      await sql`delete from realtime_messages
        where created_at < now() - make_interval(secs => ${dependencies.retentionMs / 1000})`.execute(
        db,
      )
    },

    async stop(): Promise<void> {
      stopListening()
      await outbox.onIdle()
    },
  }
}

function bodyOf({ topic, event, payload }: Message): z.infer<typeof Body> {
  if (Buffer.isBuffer(payload)) return { topic, event, bytes: payload.toString('base64') }
  return { topic, event, payload }
}

function messageOf(body: z.infer<typeof Body>): Message {
  const { topic, event } = body
  if ('bytes' in body) return { topic, event, payload: Buffer.from(body.bytes, 'base64') }
  return { topic, event, payload: body.payload }
}
