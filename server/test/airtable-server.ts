import { type AirtableSandbox, startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { atEnd } from './at-end.ts'
import { type TestServer, testServer } from './server.ts'

export const baseId = 'appTest0000000001'
export const tableId = 'tblOrdini00000001'

type AirtableServer = {
  airtable: AirtableSandbox
  server: TestServer
  /** Of the pharmacy, which is signed in. */
  headers: { authorization: string }
}

/**
 * The real application, and a pharmacy whose orders are in an Airtable that it reads whenever it is asked.
 *
 * @param columns of the table, where they are other than usual
 */
export async function airtableServer(
  columns: Parameters<typeof ordersTable>[1] = {},
): Promise<AirtableServer> {
  const airtable = await startAirtable({
    bases: { [baseId]: [ordersTable(tableId, columns)] },
    requestsPerSecond: 10_000,
  })
  atEnd(() => airtable.close())
  const server = await testServer({
    airtable: { apiUrl: airtable.url, token: airtable.token },
    timing: { copy: { fresh: 0, justRead: 0 }, pushPatience: 20_000 },
  })
  const email = 'marco@example.it'
  await server.addPharmacy({ email, code: 'PHARM-0001', airtable: { baseId, tableId } })
  return { airtable, server, headers: await server.signIn(email) }
}
