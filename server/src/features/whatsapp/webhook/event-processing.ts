import { wellFormedJson } from '@bancone/contract/well-formed-text'
import type { Database } from '../../../database/database.ts'
import { isRefusedValue } from '../../../database/errors.ts'
import { inSavepoint } from '../../../database/write-in-halves.ts'
import type { Tasks } from '../../../platform/jobs.ts'
import type { createInboundMessages } from '../messages/inbound.service.ts'
import type { MessageOutcomes } from '../messages/message-outcomes.ts'
import { enqueueTemplates } from '../messages/message-settings.store.ts'
import type { WhatsAppContext } from '../whatsapp.context.ts'
import { effectOfAccountUpdate } from '../whatsapp.rules.ts'
import { INBOX_TASK } from './inbox.store.ts'
import {
  AccountUpdate,
  contentOf,
  type Echo,
  Envelope,
  isoTime,
  type Message,
  NumberValue,
  personOf,
  phoneOf,
} from './webhook-events.ts'

/**
 * The fields of webhooks about a number and its messages. The history of the Business app and its contacts are not among
 * them: Bancone does not ask Meta for them.
 */
const NUMBER_FIELDS = new Set(['messages', 'smb_message_echoes', 'user_id_update'])

/** The fields after which the number has to be checked. */
const CHECK_FIELDS = new Set([
  'account_review_update',
  'business_capability_update',
  'phone_number_name_update',
  'phone_number_quality_update',
])

/** The fields after which the templates have to be read again: Meta may have refused one, or changed its category. */
const TEMPLATE_FIELDS = new Set(['message_template_status_update', 'template_category_update'])

/** What a customer does to messages that are there. It opens no time for replies, and makes nobody known. */
const SIGNS = new Set(['reaction', 'revoke'])

/** Webhooks of one job. The next job runs after those that wait for a worker meanwhile. */
const PER_JOB = 200

/**
 * Processes the stored webhooks, each in a transaction. All of it can be repeated: Meta sends the same events again, also in other
 * webhooks. Events that are not readable, or that PostgreSQL refuses, are left out: they would not be readable later
 * either. The last try leaves out every event that fails, so that the others of its webhook are kept.
 */
export function webhookTasks(
  { connectionEvents, contacts, inbox, log }: WhatsAppContext,
  inbound: ReturnType<typeof createInboundMessages>,
  outcomes: MessageOutcomes,
): Tasks {
  async function processEvent(tx: Database, isLastTry: boolean, event: () => Promise<unknown>) {
    try {
      await inSavepoint(tx, event)
    } catch (error) {
      const isRefused = isRefusedValue(error)
      if (!isRefused && !isLastTry) throw error
      // The message of a refusal may quote what a customer wrote.
      log.warn(isRefused ? {} : { err: error }, 'an event of WhatsApp was left out')
    }
  }

  async function ofMessage(tx: Database, pharmacyId: string, message: Message, value: NumberValue) {
    const named = { phone: message.from, userId: message.from_user_id }
    const sender = personOf(named, value.contacts)
    if (message.type === 'system') return ofSystem(tx, pharmacyId, message, sender)
    if (!sender) return
    const at = isoTime(message.timestamp)
    if (SIGNS.has(message.type)) {
      const known = await contacts.known(tx, pharmacyId, sender)
      if (known) await inbound.ofCustomer(tx, pharmacyId, known, writtenIn(message))
      return
    }
    const contactId = await contacts.noteInbound(tx, pharmacyId, sender, at)
    await connectionEvents.noteInbound(tx, pharmacyId, at)
    await inbound.ofCustomer(tx, pharmacyId, contactId, writtenIn(message))
  }

  /** WhatsApp says something of a person. */
  async function ofSystem(
    tx: Database,
    pharmacyId: string,
    message: Message,
    sender: ReturnType<typeof personOf>,
  ) {
    const { system } = message
    const before = {
      userId: system?.previous_user_id ?? sender?.userId ?? null,
      phone: sender?.phone ?? null,
    }
    const after = {
      userId: system?.user_id ?? null,
      phone: phoneOf(system?.wa_id ?? system?.new_wa_id),
    }
    const isChange =
      system?.type === 'user_changed_number' || system?.type === 'user_changed_user_id'
    const isChanged = isChange && (after.userId !== null || after.phone !== null)
    if (isChanged) await contacts.change(tx, pharmacyId, before, after)
    const person = isChanged
      ? { userId: after.userId ?? before.userId, phone: after.phone ?? before.phone }
      : before
    const known = await contacts.known(tx, pharmacyId, person)
    if (known) await inbound.ofCustomer(tx, pharmacyId, known, writtenIn(message))
  }

  async function handleEcho(tx: Database, pharmacyId: string, echo: Echo, value: NumberValue) {
    const recipient = personOf({ phone: echo.to, userId: echo.to_user_id }, value.contacts)
    const contactId = recipient && (await contacts.known(tx, pharmacyId, recipient))
    if (contactId) await inbound.ofPharmacy(tx, pharmacyId, contactId, writtenIn(echo))
  }

  async function handleNumber(tx: Database, value: NumberValue, isLastTry: boolean) {
    const each = (event: () => Promise<unknown>) => processEvent(tx, isLastTry, event)
    const numberId = value.metadata.phone_number_id
    const owner = await connectionEvents.ownerOfNumber(tx, numberId)
    if (!owner) return inbox.countUnrouted(tx, numberId)
    if (!owner.isUsed) return
    const { pharmacyId } = owner
    for (const message of value.messages)
      if (message) await each(() => ofMessage(tx, pharmacyId, message, value))
    for (const echo of value.message_echoes)
      if (echo) await each(() => handleEcho(tx, pharmacyId, echo, value))
    for (const status of value.statuses) {
      if (!status) continue
      await each(() =>
        outcomes.reported(tx, pharmacyId, {
          metaId: status.id,
          reference: status.biz_opaque_callback_data ?? null,
          status: status.status,
          at: isoTime(status.timestamp),
          errorCode: status.errors?.[0]?.code ?? null,
        }),
      )
    }
    for (const update of value.user_id_update) {
      if (!update) continue
      const { previous, current } = update.user_id
      await each(() =>
        contacts.change(
          tx,
          pharmacyId,
          { userId: previous, phone: null },
          { userId: current, phone: null },
        ),
      )
    }
  }

  async function ofTemplates(tx: Database, accountId: string) {
    const pharmacyIds = await connectionEvents.pharmaciesOf(tx, accountId)
    for (const pharmacyId of pharmacyIds) await enqueueTemplates(tx, pharmacyId)
    if (pharmacyIds.length === 0) await inbox.countUnrouted(tx, accountId)
  }

  async function ofAccount(tx: Database, accountId: string, field: string, value: unknown) {
    const update = AccountUpdate.safeParse(value).data
    const effect =
      field === 'account_update' && update ? effectOfAccountUpdate(update.event) : 'check'
    const wabaId = update?.waba_info?.waba_id ?? accountId
    if (!(await connectionEvents.applyToAccount(tx, wabaId, effect)))
      await inbox.countUnrouted(tx, wabaId)
  }

  async function processWebhook(tx: Database, body: Buffer, isLastTry: boolean): Promise<void> {
    const envelope = Envelope.safeParse(parsed(body)).data
    for (const { id, changes } of envelope?.entry ?? []) {
      for (const { field, value } of changes) {
        if (NUMBER_FIELDS.has(field)) {
          const read = NumberValue.safeParse(value).data
          if (read) await handleNumber(tx, read, isLastTry)
        } else if (field === 'account_update' || CHECK_FIELDS.has(field))
          await ofAccount(tx, id, field, value)
        else if (TEMPLATE_FIELDS.has(field)) await ofTemplates(tx, id)
      }
    }
  }

  return {
    [INBOX_TASK]: {
      lane: 'delivery',
      async run(_payload, signal) {
        let failures = 0
        for (let done = 0; done < PER_JOB; done += 1) {
          // The webhooks that are left wait for the next job.
          if (signal?.aborted) break
          const outcome = await inbox.processNext(processWebhook, (error, isGivenUp) =>
            log.warn({ err: error, isGivenUp }, 'a webhook of WhatsApp was not processed'),
          )
          if (outcome === 'failed') failures += 1
          // Webhooks that fail come last.
          if (outcome === 'none' || failures > 5) {
            if (failures > 0) throw new Error('webhooks of WhatsApp were not processed')
            return
          }
        }
        if (failures > 0) throw new Error('webhooks of WhatsApp were not processed')
        await inbox.enqueue()
      },
    },
  }
}

const writtenIn = (message: Echo) => ({
  metaId: message.id,
  at: isoTime(message.timestamp),
  ...contentOf(message),
})

function parsed(body: Buffer): unknown {
  try {
    const json: unknown = JSON.parse(wellFormedJson(body.toString()))
    return json
  } catch {
    return undefined
  }
}
