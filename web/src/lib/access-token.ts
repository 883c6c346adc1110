import { z } from 'zod'

const Claims = z.object({
  /** Tells one session from another, however often its tokens were renewed. */
  session_id: z.string().nullable().catch(null),
  /** How the session began: `password`, `otp` for a link from a mail, … */
  amr: z
    .array(
      z.union([z.string(), z.object({ method: z.string() }).transform(({ method }) => method)]),
    )
    .catch([]),
  /** 'aal2' where a second factor was shown. */
  aal: z.enum(['aal1', 'aal2']).catch('aal1'),
})
type Claims = z.infer<typeof Claims>

const nothing: Claims = { session_id: null, amr: [], aal: 'aal1' }

/** What an access token says of its session. Only to choose what to show: nobody checked its signature. */
export function tokenClaims(token: string): Claims {
  const [, payload = ''] = token.split('.')
  try {
    const json: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return Claims.catch(nothing).parse(json)
  } catch {
    return nothing
  }
}
