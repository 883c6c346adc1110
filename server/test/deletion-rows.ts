import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ImagesServer } from './images-server.ts'

/** Adds rows and files of a pharmacy that no call of the API makes without an order store. */
export async function addRows(
  { folder, database: { pool } }: Pick<ImagesServer, 'folder' | 'database'>,
  picture: Buffer,
  id: string,
  orderId: string,
  sessionId: string,
): Promise<void> {
  const key = `${id}/${'a'.repeat(64)}`
  await mkdir(join(folder, 'images', id), { recursive: true })
  await writeFile(join(folder, 'images', key), picture)
  const statements: [string, unknown[]][] = [
    ['insert into order_image_files (pharmacy_id, key) values ($1, $2)', [id, key]],
    [
      `insert into order_images (order_id, pharmacy_id, ref, state, key, content_type, bytes)
       values ($1, $2, 'ref', 'stored', $3, 'image/webp', 10)`,
      [orderId, id, key],
    ],
    [
      `insert into order_attachments (order_id, pharmacy_id, place, key, content_type, bytes)
       values ($1, $2, 2, $3, 'application/pdf', 10)`,
      [orderId, id, key],
    ],
    [
      `insert into order_changes (order_id, pharmacy_id, status, stored_status, stored_last)
       values ($1, $2, 'Annullato', 'In attesa', now())`,
      [orderId, id],
    ],
    ['insert into order_pickup_changes (order_id, pharmacy_id) values ($1, $2)', [orderId, id]],
    [
      `insert into order_notices (pharmacy_id, airtable_order_id, kind, wanted)
       values ($1, 'rec', 'gone', 'Annullato')`,
      [id],
    ],
    ['insert into order_retention_periods (pharmacy_id, order_days) values ($1, 90)', [id]],
    [
      `with run as (
         insert into migration_runs (pharmacy_id, base_id, table_id, mode, state, ended_at)
         values ($1, 'app', 'tbl', 'full', 'completed', now()) returning id
       ), record as (
         insert into migration_records (pharmacy_id, run_id, record_id) select $1, id, 'rec' from run
       )
       insert into migration_items (pharmacy_id, run_id, kind, record_id, reason)
       select $1, id, 'refused', 'rec', 'cells' from run`,
      [id],
    ],
    [
      `insert into push_subscriptions (session_id, pharmacy_id, endpoint, p256dh, auth, told)
       values ($1, $2, 'https://push.example/' || $1::uuid, 'DeviceKey', 'DeviceSecret', 0)`,
      [sessionId, id],
    ],
    [
      `insert into offer_events (pharmacy_id, kind, session_id, visitor_ip, happened_at)
       values ($1, 'call_tapped', 's', 'h', now())`,
      [id],
    ],
    ["insert into analytics_shares values ($1, now(), 'source', 'flyer', 1)", [id]],
    [`insert into plan_deviations (pharmacy_id, key, value) values ($1, 'max_offers', '7')`, [id]],
    [
      `insert into whatsapp_connections (pharmacy_id, state, token, pin, key_id)
       values ($1, 'connected', 'sealed', 'sealed', 'key')`,
      [id],
    ],
    [`insert into whatsapp_contacts (pharmacy_id, user_id) values ($1, 'IT.1')`, [id]],
    [
      `with contact as (select id from whatsapp_contacts where pharmacy_id = $1), consent as (
         insert into whatsapp_consents
           (pharmacy_id, contact_id, is_given, wording_version, wording, channel, message_id)
         select $1, id, true, 1, 'avvisami', 'message', 'wamid.2' from contact
       ), link as (
         insert into whatsapp_order_contacts (order_id, pharmacy_id, contact_id)
         select $2, $1, id from contact
       ), received as (
         insert into whatsapp_inbound (pharmacy_id, contact_id, message_id, type, text, key_id, at)
         select $1, id, 'wamid.3', 'text', 'sealed', 'key', now() from contact
       )
       insert into whatsapp_outbox (pharmacy_id, order_id, contact_id, kind, text, key_id, due_at, expires_at)
       select $1, $2, id, 'reply', 'sealed', 'key', now(), now() from contact`,
      [id, orderId],
    ],
    [
      `with settings as (
         insert into whatsapp_message_settings (pharmacy_id, is_on, terms_version, daily_limit)
         values ($1, true, 1, 10)
       ), acceptance as (
         insert into whatsapp_acceptances (pharmacy_id, version, text, accepted_by) values ($1, 1, 'text', $1)
       )
       insert into whatsapp_templates (pharmacy_id, name, status, category) values ($1, 'a', 'APPROVED', 'UTILITY')`,
      [id],
    ],
    [
      `insert into support_sessions (pharmacy_id, admin_id, session_id, reason, started_at, ends_at)
       values ($1, gen_random_uuid(), gen_random_uuid(), 'una richiesta di aiuto', now(), now())`,
      [id],
    ],
    [
      `with file as (insert into pharmacy_imports (headings, ignored) values ('{}', '{}') returning id)
       insert into pharmacy_import_rows (import_id, line, cells, fields, outcome)
       select file.id, line, jsonb_build_array(email), fields, 'refused'
       from file, pharmacies as pharmacy, lateral (values
         (2, jsonb_build_object('pharmacy_id', lower(pharmacy.pharmacy_id))),
         (3, jsonb_build_object('email', upper(email)))
       ) as rows (line, fields) where pharmacy.id = $1`,
      [id],
    ],
  ]
  for (const [text, values] of statements) await pool.query(text, values)
}
