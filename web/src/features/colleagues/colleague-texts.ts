import { Role } from '@bancone/contract/access'
import { type Colleague, INVITATION_DAYS } from '@bancone/contract/colleagues'
import { DAY_MS } from '@bancone/contract/dates'
import { formatDateTime, formatRelative } from '../../lib/format.ts'

/** Name and description of each role. */
export const roleTexts: Record<Role, { name: string; means: string }> = {
  staff: {
    name: 'Collaboratore',
    means: 'Lavora con gli ordini e le offerte. Non gestisce i colleghi né le chiavi API.',
  },
  owner: {
    name: 'Titolare',
    means: 'Fa tutto quello che fa un collaboratore e in più gestisce i colleghi e le chiavi API.',
  },
}

/** The roles to choose from, the least privileged first. */
export const roleOptions = [...Role.options].reverse().map((value) => ({
  value,
  label: roleTexts[value].name,
  note: roleTexts[value].means,
}))

/** `dd/MM/yyyy HH:mm`, with 'ieri' where that is clearer. */
function moment(value: string, now: number): string {
  const relative = formatRelative(value, now)
  return relative ? `${formatDateTime(value)} (${relative})` : formatDateTime(value)
}

/** Whether the colleague was invited, has joined, and when they were last active. */
export function activityText(colleague: Colleague, now: number): string {
  const { invitedAt, hasJoined, lastSignInAt } = colleague
  if (!hasJoined && invitedAt !== null) {
    const isOver = now - Date.parse(invitedAt) > INVITATION_DAYS * DAY_MS
    return `${isOver ? 'Invito scaduto: inviato' : 'Invitato'} il ${moment(invitedAt, now)}`
  }
  return lastSignInAt === null
    ? 'Non ha ancora fatto un accesso'
    : `Ultimo accesso il ${moment(lastSignInAt, now)}`
}
