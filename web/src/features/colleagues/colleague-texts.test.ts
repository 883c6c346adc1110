import { expect, test } from 'vitest'
import { colleague, invitedColleague, ownAccount } from '../../../test/colleagues.ts'
import { activityText } from './colleague-texts.ts'

const now = Date.parse('2026-01-06T11:00:00Z')

test.each([
  [invitedColleague(1), 'Invitato il 02/01/2026 09:00 (4 giorni fa)'],
  [invitedColleague(1, { invitedAt: '2025-12-30T11:00:00Z' }), 'Invitato il 30/12/2025 12:00'],
  [
    invitedColleague(1, { invitedAt: '2025-12-01T08:00:00Z' }),
    'Invito scaduto: inviato il 01/12/2025 09:00',
  ],
  [colleague(1), 'Ultimo accesso il 05/01/2026 08:30 (ieri)'],
  [colleague(1, { lastSignInAt: null }), 'Non ha ancora fatto un accesso'],
  [{ ...ownAccount, lastSignInAt: null, hasJoined: false }, 'Non ha ancora fatto un accesso'],
])('case %#: the text about a colleague', (one, text) => {
  expect(activityText(one, now)).toBe(text)
})
