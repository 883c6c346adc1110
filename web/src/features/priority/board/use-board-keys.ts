import type { PrioritySession } from '@bancone/contract/priority'
import { hasOverlay } from '../../../lib/keys.ts'
import { useShortcuts } from '../../../lib/shortcuts.ts'
import type { Shortcut } from '../../../ui/shortcuts-dialog.tsx'
import { focusToastAction } from '../../../ui/toast.ts'
import { callButtonId } from './waiting-card.tsx'

/** As many waiting customers have a key. */
export const KEYS = 9

export const boardShortcuts: readonly Shortcut[] = [
  ['1–9', 'Va al cliente con quel numero: Invio lo chiama'],
  ['u', "Va ad «Annulla» dell'ultima operazione: Invio la annulla"],
  ['?', 'Questo elenco'],
]

type BoardKeys = {
  /** In the order of their keys; empty while they are not shown. */
  waiting: readonly PrioritySession[]
  onHelp: () => void
}

/** The keys of the board. They move the focus only: what is focused is visible before Enter changes it. */
export function useBoardKeys({ waiting, onHelp }: BoardKeys) {
  useShortcuts(({ key, repeat }) => {
    if (repeat || hasOverlay()) return null
    const session = /^[1-9]$/.test(key) ? waiting[Number(key) - 1] : undefined
    if (session) return () => document.getElementById(callButtonId(session.id))?.focus()
    if (key.toLowerCase() === 'u') return focusToastAction
    return key === '?' ? onHelp : null
  })
}
