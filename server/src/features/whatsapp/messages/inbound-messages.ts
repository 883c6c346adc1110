import { consentWording } from '@bancone/contract/whatsapp-terms'
import type { Database } from '../../../database/database.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Sealing } from '../sealed.ts'
import type { ConsentsStore } from './consents.store.ts'
import { orderCodeOf, wishOf } from './inbound.rules.ts'
import type { InboundStore } from './inbound.store.ts'
import type { MessageSettingsStore } from './message-settings.store.ts'
import { answers, cleanValue } from './message-texts.ts'
import type { OrderCustomersStore } from './order-customers.store.ts'
import type { OutboxStore } from './outbox.store.ts'

/** A message of a customer. Files in it are not fetched. `at` is ISO 8601. */
export type InboundMessage = { messageId: string; type: string; text: string | null; at: string }

/** What is kept of messages; others, for example reactions, say nothing by themselves. */
const KEPT_TYPES = new Set([
  'text',
  'image',
  'document',
  'audio',
  'video',
  'sticker',
  'location',
  'contacts',
])

const ANSWER_LIFE_MS = 12 * 3_600_000

type Dependencies = {
  settings: Pick<MessageSettingsStore, 'isOn' | 'pharmacyName'>
  consents: Pick<ConsentsStore, 'record' | 'latest'>
  customers: Pick<OrderCustomersStore, 'hasOrder'>
  inbound: Pick<InboundStore, 'add' | 'isOpenCode'>
  outbox: Pick<OutboxStore, 'addAnswer'>
  sealing: Sealing
  clock: Clock
}

/**
 * Reads what customers write: their consent and its end, orders with a code of the public page, and what those with an order
 * or a consent say. Nothing else is kept, and nothing while the messages are off.
 */
export function createInboundMessages(dependencies: Dependencies) {
  const { settings, consents, customers, inbound, outbox, sealing, clock } = dependencies

  /** @param tx the transaction in which the webhook is processed, which has locked the contacts of the pharmacy */
  return async (
    tx: Database,
    pharmacyId: string,
    contactId: string,
    { messageId, type, text, at }: InboundMessage,
  ): Promise<void> => {
    const isOn = await settings.isOn(tx, pharmacyId)
    const seal = (plain: string) => ({
      text: sealing.seal(pharmacyId, 'text', plain),
      keyId: sealing.keyId,
    })
    const wish = text === null ? undefined : wishOf(text)
    // The end of a consent counts also while nothing is sent.
    if (text !== null && wish && (isOn || wish === 'stop')) {
      const changed = await consents.record(tx, pharmacyId, contactId, {
        isGiven: wish === 'start',
        wordingVersion: consentWording.version,
        wording: text.trim(),
        source: { channel: 'message', messageId, at },
      })
      if (changed !== undefined && isOn) {
        const answer = answers[wish](cleanValue(await settings.pharmacyName(tx, pharmacyId)))
        const now = clock.now()
        const life = { dueAt: now, expiresAt: now + ANSWER_LIFE_MS }
        const added = { contactId, occasion: changed, ...seal(answer), ...life }
        await outbox.addAnswer(tx, pharmacyId, added, now)
      }
    }
    if (!isOn || !KEPT_TYPES.has(type)) return
    const found = text === null ? undefined : orderCodeOf(text)
    const code = found && (await inbound.isOpenCode(tx, pharmacyId, found)) ? found : null
    const isCustomer =
      code !== null ||
      (await consents.latest(tx, pharmacyId, contactId)) === true ||
      (await customers.hasOrder(tx, pharmacyId, contactId))
    if (!isCustomer) return
    const sealed = text === null ? { text: null, keyId: null } : seal(text)
    await inbound.add(tx, pharmacyId, { contactId, messageId, type, at, code, ...sealed })
  }
}
