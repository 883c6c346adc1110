import { isAuthApiError } from '@supabase/auth-js'
import { signOutOnServer } from '../../lib/auth-fetch.ts'
import { authErrorMessage } from '../../lib/auth-messages.ts'
import { unavailable } from '../../lib/common-texts.ts'
import { areas } from './areas.ts'
import type { MailLink } from './mail-link.ts'

/**
 * 'half': a change of address needs a confirmation from the other address, too. 'expired' and 'refused': the link is
 * no longer valid. 'failed': the link still works.
 */
type Outcome =
  | { kind: 'done' }
  | { kind: 'half' }
  | { kind: 'expired' }
  | { kind: 'refused'; text: string }
  | { kind: 'failed'; text: string }

const notValid = 'Il link non è valido.'

/** Uses up the link, which signs in the user it was sent to instead of the current one. */
export async function confirmLink({ token, type, area }: MailLink): Promise<Outcome> {
  const store = areas[area].session
  const before = store.current()
  const { data, error } = await store
    .auth()
    .then((client) => client.verifyOtp({ token_hash: token, type }))
    .catch((cause: unknown) => ({ data: { session: null }, error: cause }))
  if (error) return outcomeOf(error)
  if (!data.session) return { kind: 'half' }
  // The replaced session cannot be resumed, so it is ended on the server.
  if (before?.id && before.id !== store.current()?.id) void signOutOnServer(before.accessToken)
  return { kind: 'done' }
}

function outcomeOf(error: unknown): Outcome {
  if (!isAuthApiError(error) || error.status === 429) {
    return { kind: 'failed', text: authErrorMessage(error, unavailable) }
  }
  if (error.code === 'otp_expired') return { kind: 'expired' }
  // The service's message speaks of the request, which here is the link.
  const text = error.code === 'validation_failed' ? notValid : authErrorMessage(error, notValid)
  return { kind: 'refused', text }
}
