import { z } from 'zod'

const Claims = z.object({
  /** Identifies the session; stays the same when its tokens are refreshed. */
  session_id: z.string().nullable().catch(null),
  /** How the user authenticated: `password`, `otp` for a link from an email, … */
  amr: z
    .array(
      z.union([z.string(), z.object({ method: z.string() }).transform(({ method }) => method)]),
    )
    .catch([]),
  /** 'aal2' after a second factor was verified. */
  aal: z.enum(['aal1', 'aal2']).catch('aal1'),
})
type Claims = z.infer<typeof Claims>

const nothing: Claims = { session_id: null, amr: [], aal: 'aal1' }

/** The claims of an access token, without checking its signature: only for choosing what to show. */
export function tokenClaims(token: string): Claims {
  const [, payload = ''] = token.split('.')
  try {
    const json: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return Claims.catch(nothing).parse(json)
  } catch {
    return nothing
  }
}
