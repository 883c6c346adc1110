import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

type ConflictDialogProps = {
  name: string
  onClose: () => void
  onReload: () => void
  /** Overwrites the other change. */
  onInsist: () => void
  onReturnFocus: () => void
}

/** Shown when the offer was changed elsewhere meanwhile: the user chooses which change wins. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { name, onClose, onReload, onInsist, onReturnFocus } = props
  return (
    <Dialog
      title="Offerta cambiata nel frattempo"
      text={`Mentre la modificavi, qualcuno ha cambiato «${name}». Se ricarichi perdi quello che hai scritto; se salvi comunque, resta la tua versione.`}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
      footer={
        <>
          <Button look="primary" onClick={onReload}>
            Ricarica
          </Button>
          <Button onClick={onInsist}>Salva comunque</Button>
        </>
      }
    />
  )
}
