import { type FormEventHandler, useId } from 'react'
import type { Failure } from '../lib/use-failure.ts'
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'

type FormDialogProps = Omit<ActionDialogProps, 'look' | 'action' | 'notYet'> & {
  look?: 'danger' | 'primary'
  /** The reason of a failed submission that belongs to no field; null for none. */
  failure: Failure | null
  onSubmit: FormEventHandler<HTMLFormElement>
}

/** A small form in a dialog. It cannot be closed while it is being submitted. */
export function FormDialog(props: FormDialogProps) {
  const { children, look = 'primary', failure, onSubmit, ...dialog } = props
  const id = useId()
  return (
    <ActionDialog {...dialog} look={look} action={id}>
      <form id={id} noValidate onSubmit={onSubmit} className="flex flex-col gap-3">
        <FailureAlert failure={failure} />
        {children}
      </form>
    </ActionDialog>
  )
}
