import { Role } from '@bancone/contract/access'
import { z } from 'zod'
import { keepDraft, readDraft } from '../../lib/drafts.ts'

const NAME = 'colleague'

const Text = z.string().catch('')

/** What stands in the form, whatever it is worth. */
const InvitationDraft = z.object({ name: Text, email: Text, role: Role.catch('staff') })
export type InvitationDraft = z.infer<typeof InvitationDraft>

/** Nobody gets more than they need by mistake. */
const empty: InvitationDraft = { name: '', email: '', role: 'staff' }

/** The invitation that was begun in this tab, and not sent. */
export function readInvitation(): InvitationDraft {
  try {
    return InvitationDraft.parse(JSON.parse(readDraft(NAME)))
  } catch {
    return empty
  }
}

export function keepInvitation(draft: InvitationDraft) {
  keepDraft(NAME, JSON.stringify(draft))
}

export function forgetInvitation() {
  keepDraft(NAME, '')
}
