import { AppError } from '../../../app-error.ts'

/** Webhooks of one transaction. */
const MAX_BATCH = 100

/** Bytes of the webhooks that wait for the database; more are refused, and Meta repeats them. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024

type Waiting = { body: Buffer; resolve(): void; reject(error: unknown): void }

/**
 * Stores webhooks before they are answered. Those that arrive while others are being stored become the next transaction,
 * so that a burst needs one connection to the database and few commits.
 *
 * @returns resolves when the webhook is stored; rejects with `service.unavailable` when too many wait
 */
export function createInboxReceiver(insert: (bodies: readonly Buffer[]) => Promise<void>) {
  const waiting: Waiting[] = []
  let bytes = 0
  let isWriting = false

  async function write() {
    isWriting = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_BATCH)
      try {
        await insert(batch.map(({ body }) => body))
        for (const { resolve } of batch) resolve()
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      for (const { body } of batch) bytes -= body.length
    }
    isWriting = false
  }

  return (body: Buffer): Promise<void> => {
    if (bytes + body.length > MAX_WAITING_BYTES) throw new AppError('service.unavailable')
    bytes += body.length
    return new Promise((resolve, reject) => {
      waiting.push({ body, resolve, reject })
      if (!isWriting) void write()
    })
  }
}
