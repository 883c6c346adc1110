import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

type LeaveDialogProps = {
  title: string
  text: string
  /** What the two ways on are called. */
  stay: string
  leave: string
  onStay: () => void
  onLeave: () => void
  onReturnFocus: () => void
}

/** Asks before what nobody has saved is given up. */
export function LeaveDialog({ title, text, stay, leave, ...ways }: LeaveDialogProps) {
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
