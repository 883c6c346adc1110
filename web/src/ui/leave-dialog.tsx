import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

type LeaveDialogProps = {
  title?: string
  text: string
  /** Labels of the two choices. */
  stay?: string
  leave?: string
  onStay: () => void
  onLeave: () => void
  onReturnFocus: () => void
}

/** Asks before unsaved changes are discarded. */
export function LeaveDialog(props: LeaveDialogProps) {
  const { title = 'Uscire senza salvare?', text, stay = 'Continua a modificare' } = props
  const { leave = 'Esci senza salvare', ...ways } = props
  return (
    <Dialog
      title={title}
      text={text}
      onClose={ways.onStay}
      onReturnFocus={ways.onReturnFocus}
      footer={
        <>
          <Button look="primary" onClick={ways.onStay}>
            {stay}
          </Button>
          <Button onClick={ways.onLeave}>{leave}</Button>
        </>
      }
    />
  )
}
