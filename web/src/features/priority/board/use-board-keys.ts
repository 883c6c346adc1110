import type { PriorityVisit } from '@bancone/contract/priority'
import { useEffect, useEffectEvent } from 'react'
import { capturesKeys, hasOverlay } from '../../../lib/page-keys.ts'
import { shortcutsOn } from '../../../lib/shortcuts.ts'
import type { Shortcut } from '../../../ui/shortcuts-dialog.tsx'

/** As many waiting customers have a key. */
export const KEYS = 9

export const boardShortcuts: readonly Shortcut[] = [
  ['1–9', 'Chiama il cliente con quel numero'],
  ['u', "Annulla l'ultima operazione, entro 10 secondi"],
  ['?', 'Questo elenco'],
]

type BoardKeys = {
  /** In the order of their keys; empty while they are not shown. */
  waiting: readonly PriorityVisit[]
  onCall: (visit: PriorityVisit) => void
  onUndo: () => void
  onHelp: () => void
}

/** The keys of the board, while no field has the focus and no dialog is open. */
export function useBoardKeys({ waiting, onCall, onUndo, onHelp }: BoardKeys) {
  /** @returns whether the key was handled */
  function run(key: string): boolean {
    const visit = /^[1-9]$/.test(key) ? waiting[Number(key) - 1] : undefined
    if (visit) onCall(visit)
    else if (key.toLowerCase() === 'u') onUndo()
    else if (key === '?') onHelp()
    else return false
    return true
  }

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.isComposing) return
    if (event.ctrlKey || event.metaKey || event.altKey || !shortcutsOn()) return
    if (capturesKeys(event.target)) return
    if (hasOverlay()) return
    if (run(event.key)) event.preventDefault()
  })

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
