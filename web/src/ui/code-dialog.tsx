import { type ReactNode, useId, useState } from 'react'
import { problemText, useAction } from '../lib/use-action.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { TextField } from './text-field.tsx'

type CodeDialogProps = {
  title: string
  text: string
  /** The pharmacy's readable code, which has to be typed. */
  code: string
  /** Label of the button that confirms, and its label while the action is running. */
  confirm: string
  confirming: string
  children?: ReactNode
  /** The text of an error; by default that of its code. */
  explain?: (error: unknown) => string
  /** @throws when the action has failed: the dialog stays open and shows the error */
  onConfirm: () => Promise<void>
  onClose: () => void
  onReturnFocus: () => void
}

/** Asks for the code of a pharmacy before data of it are deleted. */
export function CodeDialog(props: CodeDialogProps) {
  const {
    code,
    confirm,
    confirming,
    children,
    explain = problemText,
    onConfirm,
    onClose,
    ...dialog
  } = props
  const id = useId()
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const { busy, failure, fail, clearFailure, run } = useAction()

  async function submit() {
    clearFailure()
    if (typed.trim().toUpperCase() !== code.toUpperCase()) {
      setWrong(true)
      return
    }
    await run(async () => {
      try {
        await onConfirm()
      } catch (error) {
        fail(explain(error))
        return
      }
      onClose()
    })
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
          <Button look="danger" type="submit" form={id} inactive={busy}>
            {busy ? confirming : confirm}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label="Codice della farmacia"
          hint={`Per confermare scrivi ${code}`}
          error={isWrong ? `Il codice non corrisponde: scrivi ${code}` : undefined}
          value={typed}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          onChange={({ target }) => {
            setTyped(target.value)
            setWrong(false)
          }}
        />
      </form>
      {children}
      <FailureAlert failure={failure} />
    </Dialog>
  )
}
