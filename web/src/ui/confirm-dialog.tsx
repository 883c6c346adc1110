import { useAction } from '../lib/use-action.ts'
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'

type ConfirmDialogProps = Omit<ActionDialogProps, 'look' | 'busy' | 'action' | 'notYet'> & {
  /** 'primary' for what takes nothing away. */
  look?: 'danger' | 'primary'
  /** Text for an unknown error of the authentication service. */
  otherwise?: string
  /** The text of a failure, where the general one says too little. */
  explain?: (error: unknown) => string
  /** @throws when the action has failed: the dialog stays open and shows the error */
  onConfirm: () => Promise<void>
}

/** Asks before an action that cannot be undone, or that has large effects. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { look = 'danger', otherwise, explain, children, onConfirm, ...dialog } = props
  const { busy, failure, run } = useAction(otherwise)

  async function confirmed() {
    await run(async () => {
      await onConfirm()
      dialog.onClose()
    }, explain)
  }

  return (
    <ActionDialog {...dialog} look={look} busy={busy} action={() => void confirmed()}>
      {children}
      <FailureAlert failure={failure} />
    </ActionDialog>
  )
}
