import { paths } from '@bancone/contract/pages'
import { z } from 'zod'
import { ownPath } from '../../lib/own-path.ts'
import type { Area } from '../../lib/session-state.ts'
import { areaOf, resetPath } from './areas.ts'

const LinkType = z.enum(['recovery', 'invite', 'magiclink', 'signup', 'email_change'])
export type LinkType = z.infer<typeof LinkType>

/** A link from a mail that waits for the click which uses it up. */
export type MailLink = {
  token: string
  type: LinkType
  /** The page of ours it leads to in the end. */
  to: string
  /** Whose session it gives. */
  area: Area
}

/** What stands after the `#` of a link from a mail; null when it is not whole. */
export function readMailLink(hash: string): MailLink | null {
  const parts = new URLSearchParams(hash.slice(1))
  const token = parts.get('token_hash')
  const type = LinkType.safeParse(parts.get('type'))
  if (!token || !type.success) return null
  const to = target(type.data, ownPath(parts.get('redirect_to')))
  return { token, type: type.data, to, area: areaOf(to) }
}

/** Who has no password, or has lost it, chooses one first, unless the link names another page. */
function target(type: LinkType, asked: string | null): string {
  const choosing = type === 'recovery' || type === 'invite'
  if (choosing && (asked === null || asked === paths.dashboard)) return resetPath('pharmacy', type)
  return asked ?? paths.dashboard
}

/** With what code the authentication service sent the browser back: `#error=…&error_code=…`. */
export function readLinkRefusal(hash: string): { code: string | null } | null {
  const parts = new URLSearchParams(hash.slice(1))
  const code = parts.get('error_code')
  return code !== null || parts.has('error') ? { code } : null
}
