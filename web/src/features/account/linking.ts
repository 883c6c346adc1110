import { z } from 'zod'
import { isProvider, leaveFor } from '../../lib/external-sign-in.ts'
import type { Area } from '../../lib/session-state.ts'
import { accountPaths } from './account-paths.ts'
import { asOneself, type Identity } from './own-account.ts'

const Way = z.object({ url: z.url() })

/** Leaves for the other service, which sends the browser back to the account's page. @throws AuthError */
export async function leaveToLink(area: Area, provider: string): Promise<void> {
  if (!isProvider(provider)) throw new TypeError('A service has a name')
  const options = { redirectTo: location.origin + accountPaths[area], skipBrowserRedirect: true }
  const answer = await asOneself(area, (auth) => auth.linkIdentity({ provider, options }))
  leaveFor(Way.parse(answer).url)
}

/** @throws AuthError */
export async function unlink(area: Area, identity: Identity): Promise<void> {
  const { id, identity_id, user_id, provider } = identity
  await asOneself(area, (auth) => auth.unlinkIdentity({ id, identity_id, user_id, provider }))
}
