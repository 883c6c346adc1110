import { Role } from '@bancone/contract/access'
import { z } from 'zod'
import { readDraft, saveDraft } from '../../lib/drafts.ts'

const NAME = 'colleague'

const Text = z.string().catch('')

/** The form as typed, valid or not. */
const InvitationDraft = z.object({ name: Text, email: Text, role: Role.catch('staff') })
export type InvitationDraft = z.infer<typeof InvitationDraft>

/** The least privileged role, so that no one gets too many permissions by mistake. */
const empty: InvitationDraft = { name: '', email: '', role: 'staff' }

/** The unsent invitation of this tab. */
export function readInvitation(): InvitationDraft {
  try {
    return InvitationDraft.parse(JSON.parse(readDraft(NAME)))
  } catch {
    return empty
  }
}

export function saveInvitation(draft: InvitationDraft) {
  saveDraft(NAME, JSON.stringify(draft))
}

export function clearInvitation() {
  saveDraft(NAME, '')
}
