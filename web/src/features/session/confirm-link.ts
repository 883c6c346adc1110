import { isAuthApiError } from '@supabase/auth-js'
import { endOnServer } from '../../lib/auth-client.ts'
import { authErrorMessage } from '../../lib/auth-messages.ts'
import { unavailable } from '../../lib/messages.ts'
import { areas } from './areas.ts'
import type { MailLink } from './mail-link.ts'

/**
 * 'half': the other address of a change of address must agree too. 'expired': so it is over with this
 * link. 'refused': so it is, for another reason. 'failed': the link still works.
 */
type Outcome =
  | { kind: 'done' }
  | { kind: 'half' }
  | { kind: 'expired' }
  | { kind: 'refused'; text: string }
  | { kind: 'failed'; text: string }

const notValid = 'Il link non è valido.'

/** Uses up the link: whoever it was sent to is then signed in, in the place of whoever was before. */
export async function confirmLink({ token, type, area }: MailLink): Promise<Outcome> {
  const keeper = areas[area].session
  const before = keeper.current()
  const { data, error } = await keeper
    .auth()
    .verifyOtp({ token_hash: token, type })
    .catch((cause: unknown) => ({ data: { session: null }, error: cause }))
  if (error) return outcomeOf(error)
  if (!data.session) return { kind: 'half' }
  // Nobody can go back to it: it need not live on.
  if (before?.id && before.id !== keeper.current()?.id) void endOnServer(before.accessToken)
  return { kind: 'done' }
}

function outcomeOf(error: unknown): Outcome {
  if (!isAuthApiError(error) || error.status === 429) {
    return { kind: 'failed', text: authErrorMessage(error, unavailable) }
  }
  if (error.code === 'otp_expired') return { kind: 'expired' }
  // What the service calls the request is here the link.
  const text = error.code === 'validation_failed' ? notValid : authErrorMessage(error, notValid)
  return { kind: 'refused', text }
}
