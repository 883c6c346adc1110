import { join } from 'node:path'
import Airtable from 'airtable'
import { describe, expect, it } from 'vitest'
import { createFolder } from '../test/folder.ts'
import { startProgram } from '../test/program.ts'
import { DEMO_BASE_ID, DEMO_TABLE_ID, DEMO_TOKEN } from './demo-orders.ts'

async function startMain(file: string, seconds = '0') {
  const env = { SANDBOX_FILE: file, SANDBOX_PORT: '0', DEMO_ORDER_EVERY: seconds }
  const { place, kill } = await startProgram(env)
  const client = new Airtable({ endpointUrl: place.url, apiKey: place.token })
  return { place, kill, orders: client.base(place.baseId)(place.tableId) }
}

describe('the program', () => {
  it('prints where it is, and loses nothing that it acknowledged when it is killed right after', async () => {
    const file = join(createFolder(), 'airtable.jsonl')
    const first = await startMain(file)
    const { url, ...place } = first.place
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)
    expect(place).toEqual({ token: DEMO_TOKEN, baseId: DEMO_BASE_ID, tableId: DEMO_TABLE_ID })
    const [oldest, second, third] = await first.orders.select({ maxRecords: 3 }).firstPage()
    await first.orders.destroy(second?.id ?? '')
    await first.orders.update(third?.id ?? '', { Stato: 'Annullato', Indirizzo: 'Via Piave 1' })
    const added = await first.orders.create({ Cliente: 'Niccolò', Stato: 'In attesa' })
    await first.kill()

    const again = await startMain(file)
    const all = await again.orders.select().all()
    expect(all).toHaveLength(480)
    expect(all[0]?.fields).toEqual({ ...oldest?.fields, ...imageOf(all[0]?.get('Image')) })
    expect(all[1]?.id).toBe(third?.id)
    expect(all[1]?.fields).toMatchObject({ Stato: 'Annullato', Indirizzo: 'Via Piave 1' })
    expect(all.at(-1)?.id).toBe(added.id)
    expect(all.at(-1)?.fields).toEqual(added.fields)
    expect(added.get('ID Ordine')).toBe(481)
  })
})

/** Removes the port from a picture's URL, because it differs after each start. */
function imageOf(address: unknown): { Image?: unknown } {
  return address === undefined ? {} : { Image: address }
}
