import type { AuthServer } from '../auth-server.ts'
import { type Client, clientOf, newAddress, signIn } from './clients.ts'

/** For `auth.adminKey`: what another server of the pharmacy's would have. */
export const adminKey = 'a-key-of-the-tests-for-other-servers'

/** The access token of somebody who administers. */
export async function administratorsToken(server: AuthServer): Promise<string> {
  const email = newAddress()
  await server.addAdministrator({ email })
  return (await signIn(server, email)).session.access_token
}

/** The administrator's side of a client that was given that bearer. */
export function adminOf(
  server: AuthServer,
  bearer: string,
  headers: Record<string, string> = {},
): Client['admin'] {
  const all = { Authorization: `Bearer ${bearer}`, ...headers }
  return clientOf(server, { headers: all }).admin
}
