import type { ComponentProps } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

export type ActionDialogProps = Omit<ComponentProps<typeof Dialog>, 'footer' | 'hasEntry'> & {
  /** Label of the button that confirms, and its label while the action is running. */
  confirm: string
  confirming?: string
  look: 'danger' | 'primary'
  busy?: boolean
  /** Something is missing before it can be confirmed. */
  notYet?: boolean
  /** What the button does: it submits the form with this id, or calls the function. */
  action: string | (() => void)
}

/** A dialog with one action. It cannot be closed while the action is running. */
export function ActionDialog(props: ActionDialogProps) {
  const {
    confirm,
    confirming,
    look,
    busy = false,
    notYet = false,
    action,
    onClose,
    ...dialog
  } = props
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
          <Button
            look={look}
            inactive={busy || notYet}
            {...(typeof action === 'string'
              ? { type: 'submit', form: action }
              : { onClick: action })}
          >
            {busy ? confirming : confirm}
          </Button>
        </>
      }
    />
  )
}
