import { paths } from '@bancone/contract/pages'
import { z } from 'zod/mini'
import { sameOriginPath } from '../../lib/same-origin-path.ts'
import type { Area } from '../../lib/session-state.ts'
import { areaOf, resetPath } from './areas.ts'

const LinkType = z.enum(['recovery', 'invite', 'magiclink', 'signup', 'email_change'])
export type LinkType = z.infer<typeof LinkType>

/** A link from a mail, used up only by a click. */
export type MailLink = {
  token: string
  type: LinkType
  /** Path to open afterwards. */
  to: string
  /** Area of the session that the link creates. */
  area: Area
}

/** Parses the URL fragment of a link from a mail; null when it is incomplete. */
export function readMailLink(hash: string): MailLink | null {
  const parts = new URLSearchParams(hash.slice(1))
  const token = parts.get('token_hash')
  const type = LinkType.safeParse(parts.get('type'))
  if (!token || !type.success) return null
  const to = target(type.data, sameOriginPath(parts.get('redirect_to')))
  return { token, type: type.data, to, area: areaOf(to) }
}

/** Users without a password or with a forgotten one set one first, unless the link names another page. */
function target(type: LinkType, asked: string | null): string {
  const choosing = type === 'recovery' || type === 'invite'
  if (choosing && (asked === null || asked === paths.dashboard)) return resetPath('pharmacy', type)
  return asked ?? paths.dashboard
}

/** The error that the authentication service redirected back with: `#error=…&error_code=…`. */
export function readLinkRefusal(hash: string): { code: string | null } | null {
  const parts = new URLSearchParams(hash.slice(1))
  const code = parts.get('error_code')
  return code !== null || parts.has('error') ? { code } : null
}
