import type { NewOrderFields } from '@bancone/contract/new-orders'
import type { OrderRecord } from '@bancone/contract/orders'
import type { WhatsAppDraft } from '@bancone/contract/whatsapp-drafts'
import { consentWording } from '@bancone/contract/whatsapp-terms'
import type { Database } from '../../../database/database.ts'
import type { PharmacySession } from '../../../http/serve.ts'
import { rethrowErased } from '../contacts.store.ts'
import type { WhatsAppContext } from '../whatsapp.context.ts'
import { hasOrderWords, namedCode, possibleCodes, wishOf } from './inbound.rules.ts'
import { shownNumber } from './messages.rules.ts'
import { answers, cleanValue } from './notice-texts.rules.ts'

/** A message of a conversation. Files in it are not fetched. `at` is ISO 8601. */
type WrittenMessage = {
  /** Meta's id of the message. */
  metaId: string
  /** As Meta names it. */
  type: string
  text: string | null
  /** The message that it edits, deletes or is a reaction to. */
  about: string | null
  at: string
}

/** What people say in words of their own. */
const SPOKEN = new Set(['text', 'button', 'interactive', 'edit'])
/** What orders nothing, whatever its words. */
const NO_ORDERS = new Set(['system', 'reaction', 'revoke', 'contacts', 'location'])

const NO_ORDER = { isOrder: false, code: null }

const ANSWER_LIFE_MS = 12 * 3_600_000

/**
 * Reads what customers write: their consent and its end, orders that the public page has prepared, and what those with an
 * order, a draft or a consent say; and what the pharmacy has written to these in the WhatsApp Business app. Nothing else is kept, and
 * nothing while the messages are off.
 */
export function createInboundMessages(context: WhatsAppContext) {
  const { settings, consents, customers, inbound, outbox, sealing, clock } = context

  const seal = (pharmacyId: string, text: string) => ({
    text: sealing.seal(pharmacyId, 'text', text),
    keyId: sealing.keyId,
  })

  async function isCustomer(tx: Database, pharmacyId: string, contactId: string) {
    return (
      (await consents.latest(tx, pharmacyId, contactId)) === true ||
      (await customers.hasOrder(tx, pharmacyId, contactId)) ||
      (await inbound.hasDraft(tx, pharmacyId, contactId))
    )
  }

  /** @returns whether it is kept since now: Meta repeats messages for days */
  async function keep(
    tx: Database,
    pharmacyId: string,
    contactId: string,
    { metaId, type, text, about, at }: WrittenMessage,
    { isOrder, code, isEcho }: { isOrder: boolean; code: string | null; isEcho: boolean },
  ): Promise<boolean> {
    if (!isOrder && !(await isCustomer(tx, pharmacyId, contactId))) return false
    const sealed = text === null ? { text: null, keyId: null } : seal(pharmacyId, text)
    return inbound.add(tx, {
      pharmacy_id: pharmacyId,
      contact_id: contactId,
      message_id: metaId,
      type,
      text: sealed.text,
      key_id: sealed.keyId,
      about_message_id: about,
      at,
      code,
      draft: isOrder ? 'open' : null,
      is_echo: isEcho,
    })
  }

  /** Whether the message orders something, however its writer has changed what the public page had prepared. */
  async function orderIn(tx: Database, pharmacyId: string, { type, text, at }: WrittenMessage) {
    if (text === null || NO_ORDERS.has(type)) return NO_ORDER
    const known = await inbound.knownCode(tx, pharmacyId, possibleCodes(text), at)
    if (known) return { isOrder: true, code: known.isUsed ? null : known.code }
    // The page may not have been able to tell the code that it has given.
    const code = namedCode(text) ?? null
    const isOrder = type === 'order' || code !== null || hasOrderWords(text)
    return { isOrder, code }
  }

  /** Of the versions of a message the latest is the draft, unless an order was made of an earlier one. */
  async function orderOfVersion(
    tx: Database,
    pharmacyId: string,
    contactId: string,
    { metaId, type, about, at, ...content }: WrittenMessage,
  ) {
    const order = await orderIn(tx, pharmacyId, { metaId, type, about, at, ...content })
    const isEdit = type === 'edit' && about !== null
    if (!order.isOrder && !isEdit) return order
    const first = isEdit ? about : metaId
    const versions = await inbound.versions(tx, pharmacyId, contactId, first)
    const others = versions.filter((version) => version.metaId !== metaId)
    const isOver = others.some(
      (other) => other.draft === 'confirmed' || (isEdit ? other.at > at : true),
    )
    if (isOver) return NO_ORDER
    const open = others.filter(({ draft }) => draft === 'open')
    await inbound.replaceDrafts(
      tx,
      pharmacyId,
      open.map((other) => other.metaId),
    )
    return {
      isOrder: order.isOrder || open.length > 0,
      code: order.code ?? open[0]?.code ?? null,
    }
  }

  /** Whether a code can be repeated to its customer: without a digit it may be a word, such as the name of a product. */
  const isCode = async (tx: Database, pharmacyId: string, code: string, at: string) =>
    shownNumber(code) !== undefined ||
    (await inbound.knownCode(tx, pharmacyId, [code], at)) !== undefined

  async function noteWish(
    tx: Database,
    pharmacyId: string,
    contactId: string,
    { metaId, type, text, at }: WrittenMessage,
    { isOn, saysTu }: { isOn: boolean; saysTu: boolean },
  ) {
    const wish = text === null || !SPOKEN.has(type) ? undefined : wishOf(text)
    // The end of a consent counts also while nothing is sent.
    if (text === null || !wish || (!isOn && wish !== 'stop')) return
    const changed = await consents.record(tx, pharmacyId, contactId, {
      isGiven: wish === 'start',
      wordingVersion: consentWording.version,
      wording: text.trim(),
      source: { channel: 'message', metaId, at },
    })
    if (changed === undefined || !isOn) return
    const texts = answers(saysTu)
    const answer = texts[wish](cleanValue(await settings.pharmacyName(tx, pharmacyId)))
    const now = clock.now()
    const life = { dueAt: now, expiresAt: now + ANSWER_LIFE_MS }
    const added = { contactId, occasion: changed, ...seal(pharmacyId, answer), ...life }
    await outbox.addText(tx, pharmacyId, { kind: 'answer', ...added }, now)
  }

  /** What is answered, and whether the pharmacy is closed at all, is decided when it is sent. */
  function answerOrder(
    tx: Database,
    pharmacyId: string,
    contactId: string,
    metaId: string,
    code: string,
  ) {
    const now = clock.now()
    const life = { dueAt: now, expiresAt: now + ANSWER_LIFE_MS }
    const added = { contactId, occasion: metaId, ...seal(pharmacyId, code), ...life }
    return outbox.addText(tx, pharmacyId, { kind: 'received', ...added }, now)
  }

  return {
    /** @param tx the transaction in which the webhook is processed, which has locked the contacts of the pharmacy */
    async ofCustomer(tx: Database, pharmacyId: string, contactId: string, message: WrittenMessage) {
      const current = await settings.load(tx, pharmacyId)
      await noteWish(tx, pharmacyId, contactId, message, current)
      if (!current.isOn) return
      const order = await orderOfVersion(tx, pharmacyId, contactId, message)
      const isNew = await keep(tx, pharmacyId, contactId, message, { ...order, isEcho: false })
      const { code } = order
      const mayAnswer = isNew && message.type !== 'edit' && current.answersClosed
      if (mayAnswer && code !== null && (await isCode(tx, pharmacyId, code, message.at)))
        await answerOrder(tx, pharmacyId, contactId, message.metaId, code)
    },

    /** What the pharmacy has written in the WhatsApp Business app is shown, and has no other effect. */
    async ofPharmacy(tx: Database, pharmacyId: string, contactId: string, message: WrittenMessage) {
      const { isOn } = await settings.load(tx, pharmacyId)
      if (isOn) await keep(tx, pharmacyId, contactId, message, { ...NO_ORDER, isEcho: true })
    },
  }
}

/**
 * The orders that customers have written from the public page, and other messages of which the staff make one.
 * They are orders once they are confirmed.
 */
export function createDrafts({ inbound, customers, createOrder, sealing }: WhatsAppContext) {
  return {
    async list(pharmacyId: string): Promise<WhatsAppDraft[]> {
      const rows = await inbound.drafts(pharmacyId)
      return rows.flatMap(({ text, keyId, contactId: _contactId, ...draft }) => {
        const written = sealing.open(pharmacyId, 'text', text, keyId)
        return written === undefined ? [] : [{ ...draft, text: written }]
      })
    },

    async confirm(
      session: PharmacySession,
      draftId: string,
      fields: Pick<NewOrderFields, 'Cliente' | 'Phone Number' | 'Ordine'>,
    ): Promise<OrderRecord> {
      const { pharmacy } = session
      const { contactId } = await inbound.draft(pharmacy.id, draftId)
      const order = await createOrder({ ...session, keyId: null }, `whatsapp-draft-${draftId}`, {
        ...fields,
        Stato: 'In attesa',
      })
      await customers.link(pharmacy.id, order.id, contactId).catch(rethrowErased)
      await inbound.confirm(pharmacy.id, draftId)
      return order
    },

    dismiss: inbound.dismiss,
  }
}
