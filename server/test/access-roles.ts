import type { CallerState } from './access-rules.ts'

const own = { isActive: true, hasFeatures: true }
const bare = { isActive: true, hasFeatures: false }
const closed = { isActive: false, hasFeatures: true }
const session = { shows: 'session' } as const
const owner = { ...session, worksAt: { ...own, role: 'owner' } } as const
const staff = { ...session, worksAt: { ...own, role: 'staff' } } as const
const admin = { ...session, isAdmin: true } as const
const strict = { ...admin, adminsNeedFactor: true } as const

/** All kinds of callers, by name. An API key has the rights of an owner's session. */
export const roles = {
  visitor: { shows: 'nothing' },
  'API key': { shows: 'key', worksAt: { ...own, role: 'owner' } },
  'revoked API key': { shows: 'key', isRevoked: true },
  'API key of a closed pharmacy': { shows: 'key', worksAt: { ...closed, role: 'owner' } },
  "the pharmacy's own account": owner,
  'another owner': owner,
  'an owner whose second factor was not shown': { ...owner, factor: 'not shown' },
  'an owner whose second factor was shown': { ...owner, factor: 'shown' },
  staff,
  'staff whose second factor was not shown': { ...staff, factor: 'not shown' },
  'staff whose second factor was shown': { ...staff, factor: 'shown' },
  'the own account of another pharmacy, without features': {
    ...session,
    worksAt: { ...bare, role: 'owner' },
  },
  'staff of another pharmacy, without features': {
    ...session,
    worksAt: { ...bare, role: 'staff' },
  },
  'the own account of a closed pharmacy': { ...session, worksAt: { ...closed, role: 'owner' } },
  'staff of a closed pharmacy': { ...session, worksAt: { ...closed, role: 'staff' } },
  'a user without a pharmacy': session,
  'a colleague who was removed': { ...staff, isRevoked: true, isAccountClosed: true },
  'a colleague who was shut out': { ...staff, isRevoked: true },
  'administrator without a second factor': admin,
  'administrator whose second factor was not shown': { ...admin, factor: 'not shown' },
  'administrator whose second factor was shown': { ...admin, factor: 'shown' },
  'administrator with a pharmacy': { ...owner, ...admin },
  'ADMIN_MFA: administrator without a second factor': strict,
  'ADMIN_MFA: administrator whose second factor was not shown': { ...strict, factor: 'not shown' },
  'ADMIN_MFA: administrator whose second factor was shown': { ...strict, factor: 'shown' },
  'ADMIN_MFA: administrator with a pharmacy': { ...owner, ...strict },
  'ADMIN_MFA: staff': { ...staff, adminsNeedFactor: true },
  'administrator who proved their identity days ago': { ...admin, isStale: true },
} as const satisfies Record<string, CallerState>

export type RoleName = keyof typeof roles

export const roleNames = Object.keys(roles).filter((name): name is RoleName => name in roles)
