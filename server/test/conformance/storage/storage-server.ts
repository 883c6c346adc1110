import type { AddressInfo } from 'node:net'
import type { Settings } from '../../../src/wiring/wiring.ts'
import { type TestServer, testAuth, testServer } from '../../server.ts'
import { testFileFolder } from '../../temporary-folder.ts'

export const adminKey = 'a-key-of-the-tests-for-other-servers'

export type AuthHeaders = { authorization?: string }

export type StorageServer = TestServer & {
  /** `http://…/storage/v1` */
  url: string
  origin: string
  /** The ids of pharmacies, which are also the names of their folders. */
  own: string
  other: string
  closed: string
  /** Authorization headers by caller. */
  as: Record<
    'admin' | 'adminKey' | 'own' | 'other' | 'closed' | 'stranger' | 'anonymous',
    AuthHeaders
  >
}

/** The real application, listening, with two active pharmacies, a closed one, and a user without a pharmacy. */
export async function storageServer(settings: Partial<Settings> = {}): Promise<StorageServer> {
  const folder = await testFileFolder()
  const auth = { ...testAuth, adminKey }
  const server = await testServer({ files: { folder }, auth, ...settings })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = server.app.server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`

  const pharmacy = (name: string, code: string) =>
    server.addPharmacy({ email: `${name}@example.it`, code })
  const own = await pharmacy('own', 'PHARM-0001')
  const other = await pharmacy('other', 'PHARM-0002')
  const closed = await pharmacy('closed', 'PHARM-0003')
  await server.addAdministrator({ email: 'admin@example.it' })
  await server.addUser('stranger@example.it')
  const as = {
    admin: await server.signIn('admin@example.it'),
    adminKey: { authorization: `Bearer ${adminKey}` },
    own: await server.signIn('own@example.it'),
    other: await server.signIn('other@example.it'),
    closed: await server.signIn('closed@example.it'),
    stranger: await server.signIn('stranger@example.it'),
    anonymous: {},
  }
  await close(server, closed)
  return { ...server, url: `${origin}/storage/v1`, origin, own, other, closed, as }
}

/** Deactivates a pharmacy. */
export async function close({ database }: Pick<TestServer, 'database'>, id: string) {
  await database.pool.query('update pharmacies set is_active = false where id = $1', [id])
}
