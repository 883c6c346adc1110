import { setTimeout as pause } from 'node:timers/promises'
import { OrderPickup } from '@bancone/contract/orders'
import { exchangeFacebookToken } from '@bancone/contract/whatsapp'
import { whatsAppTerms } from '@bancone/contract/whatsapp-terms'
import { metaEvents } from '@bancone/sandbox/meta'
import type { ActionLog } from './action-log.ts'
import { ask, pick, recordsOf, type Stage } from './stage.ts'
import { PRODUCT, type World } from './world.ts'

const WORDS = /crema|quietude/i

/** The pharmacy that sends messages. */
function sender({ pharmacies: [pharmacy] }: World) {
  if (!pharmacy) throw new Error('there is no pharmacy')
  return pharmacy
}

/** Connects the number of the pharmacy, with the messages and the consent of its customer. */
export async function switchMessagesOn(world: World): Promise<void> {
  const { meta, servers, query } = world
  const { id, token } = sender(world)
  async function call(method: string, path: string, body: object) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const init = { method, headers, body: JSON.stringify(body) }
    const reply = await fetch(`${servers[0]?.url}${path}`, init)
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
  }
  const code = meta.newCode(meta.accounts.number.id)
  await call('POST', exchangeFacebookToken.path, { code })
  await call('POST', '/api/whatsapp/messages/acceptances', { version: whatsAppTerms.version })
  await call('PUT', '/api/whatsapp/messages', {
    announcesReady: true,
    sendsReminders: true,
    answersClosed: false,
    sendsLinks: false,
    sendsCalls: false,
    saysTu: false,
    dailyLimit: 1_000,
    monthlyLimit: null,
    messagePrice: null,
  })
  await query(
    `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, image_url, list_price,
       offer_price, start_date)
     select id, pharmacy_id, $2, 'Cosmetici', 'https://example.it/1.jpg', 10, 9, now() from pharmacies where id = $1`,
    [id, PRODUCT],
  )
  await query(
    `with contact as (
       insert into whatsapp_contacts (pharmacy_id, phone) values ($1, '+393331234567') returning id
     )
     insert into whatsapp_consents (pharmacy_id, contact_id, is_given, wording_version, wording, channel, recorded_by)
     select $1, id, true, 1, 'Sì', 'counter', $1 from contact`,
    [id],
  )
  while ((await query('select from whatsapp_templates')).length === 0) await pause(50)
}

/** Sets the pickup state of an order. */
export async function changePickup(stage: Stage): Promise<void> {
  const pharmacy = sender(stage.world)
  const recordId = pick(recordsOf(stage, pharmacy), stage.next)?.id
  const to = pick([...OrderPickup.options, 'ready'], stage.next)
  const body = JSON.stringify({ changes: [{ recordId, to }] })
  await ask(stage, pharmacy, 'pickups', 'orders/pickup', { method: 'POST', body })
}

/** Presses 'Avvisa' on all servers at once. */
export async function announce(stage: Stage): Promise<void> {
  const { world, next } = stage
  const pharmacy = sender(world)
  const path = `whatsapp/orders/${pick(recordsOf(stage, pharmacy), next)?.id}/notices`
  const body = JSON.stringify({ kind: pick(['ready', 'reminder'], next), now: true })
  await Promise.all(
    world.servers.map((server) =>
      ask(stage, pharmacy, 'notices', path, { method: 'POST', body }, server),
    ),
  )
}

/**
 * As if time had passed until some of the messages are due.
 *
 * @param others the number of jobs that send each at once, beside its own
 */
export async function hasten({ query }: World, others: number): Promise<void> {
  await query('update whatsapp_message_settings set paused_until = null')
  await query(
    `with due as (
       update whatsapp_outbox set due_at = now(), ignores_hours = true
       where state = 'queued' and random() < 0.5 returning pharmacy_id, id
     ), own as (
       update graphile_worker._private_jobs set run_at = now()
       where locked_at is null and key in (select 'whatsapp.send:' || id from due)
     )
     select graphile_worker.add_job(
       'whatsapp.send', json_build_object('pharmacyId', pharmacy_id, 'messageId', id)
     ) from due cross join generate_series(1, $1::integer)`,
    [others],
  )
}

/** Some orders become overdue, and the reminders of the day are added twice at once. */
export async function remind({ query }: World): Promise<void> {
  await query(
    `update pharmacy_orders set ready_at = ready_at - interval '4 days'
     where is_to_collect and ready_at > now() - interval '1 day' and random() < 0.5`,
  )
  await query(
    `update whatsapp_outbox set created_at = created_at - interval '4 days'
     where kind = 'reminder' and created_at > now() - interval '1 day'`,
  )
  await query(`select graphile_worker.add_job('whatsapp.day') from generate_series(1, 2)`)
}

/** The next message fails in some way, or none does. */
export function failMeta({ world, actionLog, next }: Stage): void {
  collectMessages(world, actionLog)
  const modes = [
    { mode: 'ok' },
    { mode: 'slow' },
    { mode: 'hang-up' },
    { mode: 'lost-reply' },
    { mode: 'status' },
    { mode: 'garbage' },
    // Too many at once: of the number, and of the pair with the customer.
    { mode: 'graph', code: 130_429 },
    { mode: 'graph', code: 131_056 },
  ] as const
  world.meta.fail({ mode: 'ok', ...pick(modes, next), of: '/messages', times: 1 })
}

/** Meta reports that a message was delivered, or not. */
export async function report({ world, actionLog, next }: Stage): Promise<void> {
  const message = pick(actionLog.messages, next)
  const server = pick(world.servers, next)
  if (!message) return
  const status = pick(['delivered', 'delivered', 'failed'] as const, next) ?? 'failed'
  if (status === 'failed') actionLog.undelivered.add(message.id)
  const { id: accountId, numbers } = world.meta.accounts.number
  const told = { id: message.id, timestamp: Math.floor(Date.now() / 1_000) }
  // Another attempt follows the code, and none its absence.
  const code = pick([131_000, undefined], next)
  const place = { accountId, numberId: numbers[0]?.id ?? '' }
  const event = metaEvents.status(place, status, told, code, message.reference)
  await world.meta.deliver(event, `${server?.url}/webhooks/whatsapp`).catch(() => {})
}

/** The stand-in remembers the latest ones only. */
function collectMessages({ meta }: World, actionLog: ActionLog): void {
  for (const message of meta.messages.splice(0)) {
    actionLog.messages.push(message)
    actionLog.count('messages that Meta took')
  }
  if (meta.wire.some((sent) => WORDS.test(sent))) actionLog.count('products named to Meta')
}

type Row = { id: string; state: string; reason: string | null; about: string }

/** The outbox knows what became of every message that Meta has taken, and no customer got the same one twice. */
export async function wrongMessages(world: World, actionLog: ActionLog): Promise<string[]> {
  collectMessages(world, actionLog)
  const { baseId, tableId } = sender(world)
  const orders = new Set(
    world.airtable.all(baseId, tableId).map(({ fields }) => String(fields['ID Ordine'])),
  )
  const rows = new Map(
    (
      await world.query<Row>(
        `select id, state, reason, concat_ws(' ', order_id, kind, occasion) as about from whatsapp_outbox`,
      )
    ).map((row) => [row.id, row]),
  )
  const wrong = actionLog.tally['products named to Meta'] ? ['a product was named to Meta'] : []
  const sent = new Set<string>()
  for (const { id, reference = '', template, text } of actionLog.messages) {
    if (actionLog.undelivered.has(id)) continue
    const row = rows.get(reference)
    const isKnown = row
      ? row.state === 'accepted' || row.reason === 'no_response'
      : !orders.has(text.split(' | ')[0] ?? '')
    if (!isKnown) wrong.push(`Meta has ${template} of ${text}, here ${row?.state ?? 'missing'}`)
    // Of what has failed without a response, a person may send another one.
    if (row?.state === 'failed') continue
    // With a removed order its messages are deleted.
    const about = row?.about ?? reference
    if (sent.has(about)) wrong.push(`${template} of ${text} was sent twice: ${about}`)
    sent.add(about)
  }
  return wrong
}
