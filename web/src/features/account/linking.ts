import { z } from 'zod'
import { isProvider, redirectTo } from '../../lib/external-sign-in.ts'
import type { Area } from '../../lib/session-state.ts'
import { accountPaths } from './account-paths.ts'
import { callAsUser, type Identity } from './own-account.ts'

const LinkResponse = z.object({ url: z.url() })

/** Redirects to the other service, which redirects back to the account page. @throws AuthError */
export async function redirectToLink(area: Area, provider: string): Promise<void> {
  if (!isProvider(provider)) throw new TypeError('A service has a name')
  const options = { redirectTo: location.origin + accountPaths[area], skipBrowserRedirect: true }
  const answer = await callAsUser(area, (auth) => auth.linkIdentity({ provider, options }))
  redirectTo(LinkResponse.parse(answer).url)
}

/** @throws AuthError */
export async function unlink(area: Area, identity: Identity): Promise<void> {
  const { id, identity_id, user_id, provider } = identity
  await callAsUser(area, (auth) => auth.unlinkIdentity({ id, identity_id, user_id, provider }))
}
