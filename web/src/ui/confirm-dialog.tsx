import type { ReactNode } from 'react'
import { useAction } from '../lib/use-action.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'

type ConfirmDialogProps = {
  title: string
  text: string
  /** Label of the button that confirms, and its label while the action is running. */
  confirm: string
  confirming: string
  /** 'primary' for what takes nothing away. */
  look?: 'danger' | 'primary'
  /** Text for an unknown error of the authentication service. */
  otherwise?: string
  /** The text of a failure, where the general one says too little. */
  explain?: (error: unknown) => string
  children?: ReactNode
  /** @throws when the action has failed: the dialog stays open and shows the error */
  onConfirm: () => Promise<void>
  onClose: () => void
  onReturnFocus: () => void
}

/** Asks before an action that cannot be undone, or that has large effects. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { confirm, confirming, look = 'danger', otherwise, explain, children, ...rest } = props
  const { onConfirm, onClose, ...dialog } = rest
  const { busy, failure, clearFailure, run } = useAction(otherwise)

  async function confirmed() {
    clearFailure()
    await run(async () => {
      await onConfirm()
      onClose()
    }, explain)
  }

  return (
    <Dialog
      {...dialog}
      // What is being done can no longer be cancelled.
      onClose={busy ? () => undefined : onClose}
      footer={
        <>
          <Button inactive={busy} onClick={onClose}>
            Annulla
          </Button>
          <Button look={look} inactive={busy} onClick={() => void confirmed()}>
            {busy ? confirming : confirm}
          </Button>
        </>
      }
    >
      {children}
      <FailureAlert failure={failure} />
    </Dialog>
  )
}
