import { type FormEventHandler, type ReactNode, useId } from 'react'
import type { Failure } from '../lib/use-failure.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'

type FormDialogProps = {
  title: string
  /** A description of a sentence or two. */
  text: string
  /** The fields. */
  children: ReactNode
  /** Label of the button that submits, and its label while the form is being submitted. */
  confirm: string
  confirming: string
  look?: 'danger' | 'primary'
  busy: boolean
  /** The reason of a failed submission that belongs to no field; null for none. */
  failure: Failure | null
  onSubmit: FormEventHandler<HTMLFormElement>
  onClose: () => void
  onReturnFocus: () => void
}

/** A small form in a dialog. It cannot be closed while it is being submitted. */
export function FormDialog(props: FormDialogProps) {
  const { children, confirm, confirming, look = 'primary', busy, failure, ...rest } = props
  const { onSubmit, onClose, ...dialog } = rest
  const id = useId()
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
          <Button type="submit" form={id} look={look} inactive={busy}>
            {busy ? confirming : confirm}
          </Button>
        </>
      }
    >
      <form id={id} noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
        <FailureAlert failure={failure} />
        {children}
      </form>
    </Dialog>
  )
}
