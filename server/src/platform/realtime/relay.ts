import { sql } from 'kysely'
import PQueue from 'p-queue'
import { z } from 'zod'
import type { Database } from '../../database/database.ts'
import type { Events } from '../events.ts'
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
  /** How many may wait to be told. */
  most: number
  isWanted(topic: string): boolean
  deliver(message: Message): void
  onPresence(diff: PresenceDiff): void
  inTurn(work: () => Promise<void>): Promise<void>
  log: { warn(details: object, message: string): void }
}

/** What is told to a topic in one process reaches the others in the order in which it was told. */
export function createRelay(dependencies: Dependencies) {
  const { db, events, node, most, isWanted, deliver, onPresence, inTurn, log } = dependencies
  const outbox = new PQueue({ concurrency: 1 })

  async function tell(message: Message): Promise<void> {
    const { topic } = message
    const body = bodyOf(message)
    const note = JSON.stringify({ kind: 'told', node, body } satisfies z.input<typeof Note>)
    if (Buffer.byteLength(note) <= MOST_BYTES) {
      await events.notify(RELAY_CHANNEL, note)
      return
    }
    const { id } = await db
      .insertInto('realtime_messages')
      .values({ body: Buffer.from(JSON.stringify(body)) })
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
      if (outbox.size >= most) throw new Refused(503, 'Too many messages wait')
      await outbox.add(() => tell(message))
    },

    /** Forgets large messages that everybody has read. @param age in milliseconds */
    async cleanUp(age: number): Promise<void> {
      await sql`delete from realtime_messages
        where created_at < now() - make_interval(secs => ${age / 1000})`.execute(db)
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
