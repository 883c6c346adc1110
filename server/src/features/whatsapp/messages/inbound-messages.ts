import { consentWording } from '@bancone/contract/whatsapp-terms'
import type { Database } from '../../../database/database.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Sealing } from '../sealed.ts'
import type { ConsentsStore } from './consents.store.ts'
import { hasOrderWords, namedCode, possibleCodes, wishOf } from './inbound.rules.ts'
import type { InboundStore } from './inbound.store.ts'
import type { MessageSettingsStore } from './message-settings.store.ts'
import { answers, cleanValue } from './message-texts.ts'
import type { OrderCustomersStore } from './order-customers.store.ts'
import type { OutboxStore } from './outbox.store.ts'

/** A message of a conversation. Files in it are not fetched. `at` is ISO 8601. */
type WrittenMessage = { messageId: string; type: string; text: string | null; at: string }

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
  inbound: Pick<InboundStore, 'add' | 'knownCode'>
  outbox: Pick<OutboxStore, 'addAnswer'>
  sealing: Sealing
  clock: Clock
}

/**
 * Reads what customers write: their consent and its end, orders that the public page has prepared, and what those with an
 * order or a consent say; and what the pharmacy has written to these in the WhatsApp Business app. Nothing else is kept, and
 * nothing while the messages are off.
 */
export function createInboundMessages(dependencies: Dependencies) {
  const { settings, consents, customers, inbound, outbox, sealing, clock } = dependencies

  const seal = (pharmacyId: string, text: string) => ({
    text: sealing.seal(pharmacyId, 'text', text),
    keyId: sealing.keyId,
  })

  async function isCustomer(tx: Database, pharmacyId: string, contactId: string) {
    return (
      (await consents.latest(tx, pharmacyId, contactId)) === true ||
      (await customers.hasOrder(tx, pharmacyId, contactId))
    )
  }

  async function keep(
    tx: Database,
    pharmacyId: string,
    contactId: string,
    { text, ...message }: WrittenMessage,
    kept: { isOrder: boolean; code: string | null; isEcho: boolean },
  ) {
    if (!KEPT_TYPES.has(message.type)) return
    if (!kept.isOrder && !(await isCustomer(tx, pharmacyId, contactId))) return
    const sealed = text === null ? { text: null, keyId: null } : seal(pharmacyId, text)
    await inbound.add(tx, pharmacyId, { contactId, ...message, ...sealed, ...kept })
  }

  /** Whether the message orders something, however its writer has changed what the public page had prepared. */
  async function orderIn(tx: Database, pharmacyId: string, { text, at }: WrittenMessage) {
    if (text === null) return { isOrder: false, code: null }
    const known = await inbound.knownCode(tx, pharmacyId, possibleCodes(text), at)
    if (known) return { isOrder: true, code: known.isUsed ? null : known.code }
    // The page may not have been able to tell the code that it has given.
    const code = namedCode(text) ?? null
    return { isOrder: code !== null || hasOrderWords(text), code }
  }

  async function noteWish(
    tx: Database,
    pharmacyId: string,
    contactId: string,
    { messageId, text, at }: WrittenMessage,
    isOn: boolean,
  ) {
    const wish = text === null ? undefined : wishOf(text)
    // The end of a consent counts also while nothing is sent.
    if (text === null || !wish || (!isOn && wish !== 'stop')) return
    const changed = await consents.record(tx, pharmacyId, contactId, {
      isGiven: wish === 'start',
      wordingVersion: consentWording.version,
      wording: text.trim(),
      source: { channel: 'message', messageId, at },
    })
    if (changed === undefined || !isOn) return
    const answer = answers[wish](cleanValue(await settings.pharmacyName(tx, pharmacyId)))
    const now = clock.now()
    const life = { dueAt: now, expiresAt: now + ANSWER_LIFE_MS }
    const added = { contactId, occasion: changed, ...seal(pharmacyId, answer), ...life }
    await outbox.addAnswer(tx, pharmacyId, added, now)
  }

  return {
    /** @param tx the transaction in which the webhook is processed, which has locked the contacts of the pharmacy */
    async ofCustomer(
      tx: Database,
      pharmacyId: string,
      contactId: string,
      message: WrittenMessage,
    ): Promise<void> {
      const isOn = await settings.isOn(tx, pharmacyId)
      await noteWish(tx, pharmacyId, contactId, message, isOn)
      if (!isOn) return
      const order = await orderIn(tx, pharmacyId, message)
      await keep(tx, pharmacyId, contactId, message, { ...order, isEcho: false })
    },

    /** What the pharmacy has written in the WhatsApp Business app is shown, and has no other effect. */
    async ofPharmacy(
      tx: Database,
      pharmacyId: string,
      contactId: string,
      message: WrittenMessage,
    ): Promise<void> {
      if (await settings.isOn(tx, pharmacyId))
        await keep(tx, pharmacyId, contactId, message, { isOrder: false, code: null, isEcho: true })
    },
  }
}
