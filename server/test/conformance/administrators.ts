import type { AuthServer } from '../auth-server.ts'
import { type Client, clientOf, newAddress, signIn } from './clients.ts'

/** The value of `auth.adminKey`, as another server would have it. */
export const adminKey = 'a-key-of-the-tests-for-other-servers'

/** The access token of a new administrator. */
export async function administratorsToken(server: AuthServer): Promise<string> {
  const email = newAddress()
  await server.addAdministrator({ email })
  return (await signIn(server, email)).session.access_token
}

/** The admin API of a client with that bearer token. */
export function adminOf(
  server: AuthServer,
  bearer: string,
  headers: Record<string, string> = {},
): Client['admin'] {
  const all = { Authorization: `Bearer ${bearer}`, ...headers }
  return clientOf(server, { headers: all }).admin
}
