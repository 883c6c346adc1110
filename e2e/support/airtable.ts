import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { z } from 'zod'
import { freePort, type Program, startProgram, until } from './process.ts'

const Fields = z.object({ Stato: z.string(), 'Pronto il': z.string().optional() })
const Records = z.array(z.object({ id: z.string(), fields: Fields }))

/**
 * How long an order of Airtable may take to be on a screen: 15 s until the base is polled again, and 30 s more after it has
 * refused requests because there were too many in a second, which a busy machine can cause.
 */
export const FROM_AIRTABLE = { timeout: 60_000 }

const Created = z.object({ ids: z.tuple([z.string()]) })

/** The demo's base, table and token, as the sandbox prints them. */
const Started = z.object({
  url: z.string(),
  token: z.string(),
  baseId: z.string(),
  tableId: z.string(),
})

export type Airtable = {
  /** What the server needs to use it instead of its own. */
  env: Record<string, string>
  baseId: string
  tableId: string
  /** The status of every record, past its limits. */
  statuses(): Promise<Map<string, string>>
  /** When an order is ready, as the column of the demo's base has it. */
  readyAt(recordId: string): Promise<string | undefined>
  control(mode: object): Promise<void>
  /** A customer's order comes in. @returns its record id */
  order(fields?: Record<string, unknown>): Promise<string>
  /** Changes an order there. */
  change(recordId: string, fields: Record<string, unknown>): Promise<void>
  down(): Promise<void>
  up(): Promise<void>
  dispose(): Promise<void>
}

/** The Airtable sandbox as a process of its own, so that it can go down and come back. */
export async function startAirtable(): Promise<Airtable> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone airtable '))
  const port = await freePort()
  // The records of the demo that the servers' databases already hold a copy of.
  await copyFile(join(inject('demoFolder'), 'airtable.jsonl'), join(folder, 'airtable.jsonl'))
  let program: Program | undefined
  let place: z.infer<typeof Started> | undefined

  async function up(): Promise<void> {
    const started = startProgram(['dist/server/sandbox-airtable.js'], {
      SANDBOX_PORT: String(port),
      SANDBOX_FILE: join(folder, 'airtable.jsonl'),
      DEMO_ORDER_EVERY: '0',
    })
    program = started
    await until('the sandbox to be up', () => started.output().includes('\n'))
    place = Started.parse(JSON.parse(started.output().split('\n', 1)[0] ?? ''))
  }

  const all = async () => Records.parse(await (await fetch(records())).json())
  const records = () => `${place?.url}/_control/records/${place?.baseId}/${place?.tableId}`

  await up()
  return {
    env: {
      DEMO: '1',
      AIRTABLE_API_URL: place?.url ?? '',
      AIRTABLE_TOKEN: place?.token ?? '',
    },
    baseId: place?.baseId ?? '',
    tableId: place?.tableId ?? '',
    up,
    async down() {
      await program?.end('SIGKILL')
    },
    async control(mode) {
      await fetch(`${place?.url}/_control`, { method: 'POST', body: JSON.stringify(mode) })
    },
    async order(fields = {}) {
      const usual = { Cliente: 'Ada Nuova', Ordine: 'Un collirio', Stato: 'In attesa' }
      const body = JSON.stringify({ records: [{ fields: { ...usual, ...fields } }] })
      const reply = await fetch(records(), { method: 'POST', body })
      return Created.parse(await reply.json()).ids[0]
    },
    async change(recordId, fields) {
      await fetch(`${records()}/${recordId}`, { method: 'PATCH', body: JSON.stringify({ fields }) })
    },
    async statuses() {
      return new Map((await all()).map(({ id, fields }) => [id, fields.Stato]))
    },
    async readyAt(recordId) {
      return (await all()).find(({ id }) => id === recordId)?.fields['Pronto il']
    },
    async dispose() {
      await program?.end('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
