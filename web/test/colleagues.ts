import type { Colleague } from '@bancone/contract/colleagues'
import {
  changeColleague,
  inviteColleague,
  inviteColleagueAgain,
  listColleagues,
  removeColleague,
} from '@bancone/contract/colleagues'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { pharmacy, userId } from './fixtures.ts'
import { serverWith } from './render-app.tsx'
import { failure } from './stub-api.ts'

/** The n-th colleague. */
export function colleague(n: number, traits: Partial<Colleague> = {}): Colleague {
  return {
    id: `3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d${String(n).padStart(2, '0')}`,
    name: `Collega ${n}`,
    email: `collega${n}@example.it`,
    role: 'staff',
    isPrimary: false,
    isYou: false,
    invitedAt: '2026-01-02T08:00:00Z',
    hasJoined: true,
    lastSignInAt: '2026-01-05T07:30:00Z',
    secondFactor: false,
    ...traits,
  }
}

/** The pharmacy's own account, which is signed in. */
export const ownAccount: Colleague = {
  ...colleague(0),
  id: userId,
  name: pharmacy.name,
  email: pharmacy.email,
  role: 'owner',
  isPrimary: true,
  isYou: true,
  invitedAt: null,
}

/** The pharmacy as returned to a user with the role `staff`. */
export const staffPharmacy: OwnPharmacy = {
  ...pharmacy,
  role: 'staff',
  personName: 'Giulia Ferri',
}

/** The n-th invited colleague, who has not accepted yet. */
export function invitedColleague(n: number, traits: Partial<Colleague> = {}): Colleague {
  return colleague(n, { hasJoined: false, lastSignInAt: null, ...traits })
}

/** A stub with these colleagues and the pharmacy's own account. */
export function colleagueServer(others: Colleague[]) {
  function change(id: string, traits: Partial<Colleague>) {
    const place = others.findIndex((one) => one.id === id)
    const found = others[place]
    if (!found) return failure('colleagues.not_found')
    const changed = { ...found, ...traits }
    others[place] = changed
    return changed
  }

  return serverWith([])
    .on(listColleagues, () => ({ colleagues: [ownAccount, ...others] }))
    .on(inviteColleague, ({ body }) => {
      const invited = invitedColleague(90, body)
      others.push(invited)
      return invited
    })
    .on(changeColleague, ({ params, body: { name, role } }) =>
      change(params.colleagueId, { ...(name && { name }), ...(role && { role }) }),
    )
    .on(inviteColleagueAgain, ({ params }) =>
      change(params.colleagueId, { invitedAt: new Date().toISOString() }),
    )
    .on(removeColleague, ({ params }) => {
      const place = others.findIndex(({ id }) => id === params.colleagueId)
      if (place === -1) return failure('colleagues.not_found')
      others.splice(place, 1)
      return {}
    })
}
