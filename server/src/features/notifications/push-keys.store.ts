import type { Database } from '../../database/database.ts'
import type { Secrets } from '../../platform/secrets.ts'

/** Both base64url, as `web-push` expects. */
type VapidKeys = { publicKey: string; privateKey: string }

export type PushKeys = ReturnType<typeof createPushKeys>

const PURPOSE = 'push keys'

/** Loaded on first use, to save memory where no device is subscribed. */
export async function webPush() {
  return (await import('web-push')).default
}

/**
 * VAPID key pair of this installation. It is generated on first use, shared by all processes and never changed,
 * because subscriptions are bound to it. The only writer of `push_keys`, a table of one row.
 */
export function createPushKeys(db: Database, secrets: Secrets) {
  let known: VapidKeys | undefined

  const find = () =>
    db
      .selectFrom('push_keys')
      .select(['public_key as publicKey', 'private_key as privateKey'])
      .executeTakeFirst()

  /** Does nothing when another process has inserted keys already. */
  async function insertNew(): Promise<void> {
    const { publicKey, privateKey } = (await webPush()).generateVAPIDKeys()
    const sealed = secrets.encrypt(PURPOSE, Buffer.from(privateKey))
    await db
      .insertInto('push_keys')
      .values({ public_key: publicKey, private_key: sealed })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  }

  return {
    /** @throws if the keys cannot be decrypted, because APP_SECRET has changed */
    async load(): Promise<VapidKeys> {
      if (known) return known
      let keys = await find()
      if (!keys) {
        await insertNew()
        keys = await find()
      }
      if (!keys) throw new Error('there are no push keys')
      known = { publicKey: keys.publicKey, privateKey: open(secrets, keys.privateKey) }
      return known
    },
  }
}

function open(secrets: Secrets, sealed: Buffer): string {
  try {
    return secrets.decrypt(PURPOSE, sealed).toString()
  } catch (error) {
    throw new Error(
      'The push keys in the database were made with another APP_SECRET: set that one.',
      { cause: error },
    )
  }
}
