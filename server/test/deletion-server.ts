import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listDeletedPharmacies, type PurgeStep } from '@bancone/contract/pharmacy-deletion'
import { sql } from 'kysely'
import { pharmacyTables } from '../src/features/pharmacies/deletion/tables.store.ts'
import { addRows } from './deletion-rows.ts'
import { imagesServer, sent } from './images-server.ts'
import { anOffer, type Headers } from './offers-server.ts'
import { anImage } from './pictures.ts'
import { addSampleRow } from './sample-row.ts'
import { claimsOf } from './second-factor.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

export type DeletionServer = Awaited<ReturnType<typeof deletionServer>>

type FilledPharmacy = { id: string; code: string; email: string; ids: string[] }

/** The real application, with an administrator and pharmacies that have everything. */
export async function deletionServer() {
  const server = await imagesServer()
  const { pool } = server.database
  const picture = await anImage()
  const administratorId = await server.addUser('admin@example.it')
  await server.addAdministrator({ id: administratorId })
  const admin = await server.signIn('admin@example.it')
  let made = 0

  const asked = (headers: Headers, method: Method, url: string, payload?: object) => {
    made += 1
    return server.app.inject({
      method,
      url,
      headers: { ...headers, 'idempotency-key': `the-request-${made}` },
      ...(payload && { payload }),
    })
  }
  /** A call of an administrator. */
  const ask = (method: Method, url: string, payload?: object) => asked(admin, method, url, payload)

  async function create(headers: Headers, url: string, payload: object): Promise<string> {
    const reply = await asked(headers, 'POST', url, payload)
    if (reply.statusCode >= 300) throw new Error(`${url}: ${reply.body}`)
    return reply.json<{ id: string }>().id
  }

  async function age({ id }: { id: string }, ago: string): Promise<void> {
    const change = 'update pharmacies set deleted_at = now() - $2::interval where id = $1'
    await pool.query(change, [id, ago])
  }

  async function list() {
    return listDeletedPharmacies.response.parse(
      (await ask('GET', '/api/admin/deleted-pharmacies')).json(),
    )
  }

  return {
    ...server,
    administratorId,
    ask,

    /** A pharmacy with rows in every table that can have some, and with files. */
    async filled() {
      made += 1
      const email = `life-${made}@example.it`
      const code = `LIFE-${made}`
      const id = await server.addPharmacy({ email, code, features: ['offers', 'priority_access'] })
      const colleagueId = await server.addColleague({ email: `other-${email}`, pharmacyId: id })
      const headers = await server.signIn(email)
      await server.signIn(`other-${email}`)
      const formerId = await server.addColleague({ email: `former-${email}`, pharmacyId: id })
      const { rows: former } = await pool.query<{ id: string }>(
        'select id from pharmacy_members where user_id = $1',
        [formerId],
      )
      const left = await asked(headers, 'DELETE', `/api/colleagues/${former[0]?.id}`)
      if (left.statusCode !== 200) throw new Error(left.body)
      const fields = {
        Cliente: 'Anna',
        Ordine: 'Crema',
        Indirizzo: 'Via Roma',
        'Phone Number': '333 1234567',
      }
      const recordId = await create(headers, '/api/orders', { fields })
      await create(headers, `/api/orders/${recordId}/notes`, { text: 'nota' })
      await create(headers, '/api/orders/views', { name: 'mia', search: { q: 'Anna' } })
      await create(headers, '/api/orders/reply-texts', { title: 'pronto', text: '=1+1' })
      await create(headers, '/api/orders/exports', { format: 'csv' })
      await create(headers, '/api/api-keys', { name: 'Mia' })
      await create(headers, '/api/priority-sessions', { recordIds: [recordId] })
      await create(headers, '/api/priority/displays', { name: 'Sala' })
      const { publicId, url } = await sent(server, headers, picture)
      const shown = { URL_Immagine: url, CloudinaryID: publicId }
      await create(headers, '/api/offers', { fields: { ...anOffer, ...shown } })
      const stored = await server.app.inject({
        method: 'POST',
        url: `/storage/v1/object/pharmacies/${id}/lettera.txt`,
        headers: { ...headers, 'content-type': 'text/plain' },
        payload: 'una lettera',
      })
      if (stored.statusCode !== 200) throw new Error(stored.body)
      const { rows: orders } = await pool.query<{ id: string }>(
        `update pharmacy_orders set status = 'Confermato' where pharmacy_id = $1 returning id`,
        [id],
      )
      await addRows(server, picture, id, orders[0]?.id ?? '', claimsOf(headers).session_id)
      const exportId = await create(admin, `/api/admin/pharmacies/${id}/exports`, {})
      await server.runTask('pharmacies.export', { exportId })
      for (const { name, isOf } of pharmacyTables) {
        const own = sql`select from ${sql.table(name)} where ${isOf(id)} limit 1`
        const { rows } = await own.execute(server.database.db)
        if (rows.length === 0) await addSampleRow(pool, name, id)
      }
      const { rows: sessions } = await pool.query<{ id: string }>(
        'select id from auth_sessions where user_id in ($1, $2)',
        [id, colleagueId],
      )
      return {
        id,
        code,
        email,
        /** The ids by which its rows are found. */
        ids: [id, colleagueId, formerId, ...sessions.map((session) => session.id)],
        recordId,
        exportId,
        ask: (method: Method, path: string, payload?: object) =>
          asked(headers, method, path, payload),
        /** Changes the status of an order. */
        change: (record: string, status: string) =>
          server.app.inject({
            method: 'PATCH',
            url: `/api/airtable-orders/${record}`,
            headers,
            payload: { fields: { Stato: status } },
          }),
      }
    },

    /** @param ago since when, as a PostgreSQL interval */
    async delete({ id }: FilledPharmacy, ago?: string) {
      const reply = await ask('DELETE', `/api/admin-delete-pharmacy?pharmacyId=${id}`)
      if (reply.statusCode !== 200) throw new Error(reply.body)
      if (ago !== undefined) await age({ id }, ago)
    },

    age,

    async listed({ id }: FilledPharmacy) {
      return (await list()).deleted.find((pharmacy) => pharmacy.id === id)
    },

    async certificateOf({ code }: FilledPharmacy) {
      return (await list()).purged.find((purged) => purged.code === code)
    },

    /** All rows that name the pharmacy, its people or their sessions, by their table. */
    async everythingOf({ ids, email }: FilledPharmacy) {
      const { rows: tables } = await pool.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public'
           and table_type = 'BASE TABLE' and table_name not like 'audit%' order by 1`,
      )
      const found: Record<string, unknown[]> = {}
      for (const { name } of tables) {
        const { rows } = await pool.query<{ row: unknown }>(
          `select to_jsonb(each) as row from ${name} each where each::text like any ($1) order by each::text`,
          [[...ids, email].map((text) => `%${text}%`)],
        )
        if (rows.length > 0) found[name] = rows.map(({ row }) => row)
      }
      return found
    },

    /** The stored files of all pharmacies. */
    async filesOn() {
      const found = await readdir(server.folder, { recursive: true, withFileTypes: true })
      return found
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
        .toSorted()
    },

    /** The process ends when the step is done and before that is recorded. */
    async killedIn(step: PurgeStep, work: () => Promise<unknown>) {
      await pool.query(`
        create function kill_purge() returns trigger language plpgsql as $$
        begin raise exception 'killed'; end $$;
        create trigger killed before update of finished_at on pharmacy_purge_steps
          for each row when (new.step = '${step}') execute function kill_purge()`)
      try {
        await work()
      } finally {
        await pool.query('drop function kill_purge cascade')
      }
    },

    /** No stored file can be removed. */
    async withFailingFiles(work: () => Promise<unknown>) {
      await pool.query(`
        create function keep_files() returns trigger language plpgsql as $$
        begin raise exception 'the files cannot be removed'; end $$;
        create trigger kept before delete on stored_files
          for each row execute function keep_files()`)
      try {
        await work()
      } finally {
        await pool.query('drop function keep_files cascade')
      }
    },

    /** The administrator signed in two days ago. */
    async inOldSession(work: () => Promise<unknown>) {
      const { session_id: id } = claimsOf(admin)
      const { rows } = await pool.query<{ amr: unknown }>(
        'select amr from auth_sessions where id = $1',
        [id],
      )
      const old = `[{"method": "password", "timestamp": ${Math.floor(Date.now() / 1000) - 2 * 86_400}}]`
      await pool.query('update auth_sessions set amr = $2 where id = $1', [id, old])
      try {
        await work()
      } finally {
        const amr = JSON.stringify(rows[0]?.amr)
        await pool.query('update auth_sessions set amr = $2 where id = $1', [id, amr])
      }
    },
  }
}
