import type { Secrets } from '../../platform/secrets.ts'
import type { PushKeysStore } from './push-keys.store.ts'
import { webPush } from './web-push.ts'

/** Both base64url, as `web-push` expects. */
export type VapidKeys = { publicKey: string; privateKey: string }

export type PushKeys = {
  /** @throws if the keys cannot be decrypted, because APP_SECRET has changed */
  load(): Promise<VapidKeys>
}

const PURPOSE = 'push keys'

/**
 * VAPID key pair of this installation. It is generated on first use, shared by all processes and never changed,
 * because subscriptions are bound to it.
 */
export function createPushKeys(store: PushKeysStore, secrets: Secrets): PushKeys {
  let known: VapidKeys | undefined

  async function stored() {
    const found = await store.find()
    if (found) return found
    const made = (await webPush()).generateVAPIDKeys()
    const privateKey = secrets.encrypt(PURPOSE, Buffer.from(made.privateKey))
    await store.insert({ publicKey: made.publicKey, privateKey })
    return store.find()
  }

  return {
    async load() {
      if (known) return known
      const keys = await stored()
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
