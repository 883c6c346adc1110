import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { byWhom, type Conflict } from '../data/conflict.ts'

type ConflictDialogProps = {
  conflict: Conflict
  onKeep: () => void
  /** Sends the change again without comparing, overwriting the other user's change. */
  onOverwrite: () => void
  onReturnFocus: () => void
}

/** Shown when another user has changed the order meanwhile: keep that status, or overwrite it. */
export function ConflictDialog({
  conflict,
  onKeep,
  onOverwrite,
  onReturnFocus,
}: ConflictDialogProps) {
  const { target, wanted, change } = conflict
  const [now] = useState(() => Date.now())
  const status = target.status || 'Senza stato'
  const by = change ? ` (${byWhom(change, now)})` : ''
  return (
    <Dialog
      title="Ordine cambiato nel frattempo"
      text={`Ordine ${target.number}: nel frattempo è diventato «${status}»${by}. Tu volevi «${wanted}».`}
      onClose={onKeep}
      onReturnFocus={onReturnFocus}
      footer={
        <>
          <Button look="primary" onClick={onKeep}>{`Lascia «${status}»`}</Button>
          <Button onClick={onOverwrite}>{`Imposta «${wanted}»`}</Button>
        </>
      }
    />
  )
}
