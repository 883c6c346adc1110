import { sql } from 'kysely'
import PQueue from 'p-queue'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Events } from '../events.ts'
import { createPace, type Limits } from './bounds.ts'
import type { Message } from './frames.ts'
import { PresenceDiff, RELAY_CHANNEL } from './presence.store.ts'
import { Refused } from './refused.ts'

/** More is not put into a notification. */
const MOST_BYTES = 7_900

const Body = z.union([
  z.object({ topic: z.string(), event: z.string(), bytes: z.string() }),
  z.object({ topic: z.string(), event: z.string(), payload: z.unknown() }),
])

/** A message, or where it is kept if it is too large. */
const Note = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('told'), node: z.string(), body: Body }),
  z.object({ kind: z.literal('kept'), node: z.string(), topic: z.string(), id: z.string() }),
  PresenceDiff,
])

type Dependencies = {
  db: Database
  events: Events
  /** This process: its own messages it has delivered already. */
  node: string
  limits: Pick<Limits, 'outbox' | 'outboxBytes' | 'keptBytes'>
  /** Milliseconds for which large messages are kept. */
  kept: number
  isWanted(topic: string): boolean
  deliver(message: Message): void
  onPresence(diff: PresenceDiff): void
  inTurn(work: () => Promise<void>): Promise<void>
  log: { warn(details: object, message: string): void }
}

/** What is told to a topic in one process reaches the others in the order in which it was told. */
export function createRelay(dependencies: Dependencies) {
  const { db, events, node, limits, isWanted, deliver, onPresence, inTurn, log } = dependencies
  const outbox = new PQueue({ concurrency: 1 })
  let waitingBytes = 0
  const keeping = createPace((limits.keptBytes * 1000) / dependencies.kept, limits.keptBytes)

  /** @param body as JSON: what waits is as large as it looks */
  async function tell(topic: string, body: Buffer): Promise<void> {
    const head = `{"kind":"told","node":"${node}","body":`
    if (head.length + body.length < MOST_BYTES) {
      await events.notify(RELAY_CHANNEL, `${head}${body.toString()}}`)
      return
    }
    if (!keeping.take(body.length)) throw new Refused(503, 'Too many large messages')
    const { id } = await db
      .insertInto('realtime_messages')
      .values({ body })
      .returning('id')
      .executeTakeFirstOrThrow()
    await events.notify(RELAY_CHANNEL, JSON.stringify({ kind: 'kept', node, topic, id }))
  }

  async function hear(text: string): Promise<void> {
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
    if (!isWanted(note.topic)) return
    const kept = await db
      .selectFrom('realtime_messages')
      .select('body')
      .where('id', '=', note.id)
      .executeTakeFirst()
    if (kept) deliver(messageOf(Body.parse(JSON.parse(kept.body.toString()))))
  }

  const deafen = events.on(RELAY_CHANNEL, (text) => {
    inTurn(() => hear(text)).catch((error: unknown) => {
      log.warn({ err: error }, 'a message of another process was lost')
    })
  })

  return {
    /** @throws if the others could not be told */
    async publish(message: Message): Promise<void> {
      const body = Buffer.from(JSON.stringify(bodyOf(message)))
      if (outbox.size >= limits.outbox || waitingBytes + body.length > limits.outboxBytes) {
        throw new Refused(503, 'Too many messages wait')
      }
      waitingBytes += body.length
      try {
        await outbox.add(() => tell(message.topic, body))
      } finally {
        waitingBytes -= body.length
      }
    },

    /** Forgets large messages that everybody has read. */
    async cleanUp(): Promise<void> {
      await sql`delete from realtime_messages
        where created_at < now() - make_interval(secs => ${dependencies.kept / 1000})`.execute(db)
    },

    async stop(): Promise<void> {
      deafen()
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
