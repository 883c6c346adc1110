import { useId, useState } from 'react'
import { problemText, useAction } from '../lib/use-action.ts'
import { ActionDialog, type ActionDialogProps } from './action-dialog.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { TextField } from './text-field.tsx'

type CodeDialogProps = Omit<ActionDialogProps, 'look' | 'busy' | 'action' | 'notYet'> & {
  /** The pharmacy's readable code, which has to be typed. */
  code: string
  /** The text of an error; by default that of its code. */
  explain?: (error: unknown) => string
  /** @throws when the action has failed: the dialog stays open and shows the error */
  onConfirm: () => Promise<void>
}

/** Asks for the code of a pharmacy before data of it are deleted. */
export function CodeDialog(props: CodeDialogProps) {
  const { code, children, explain = problemText, onConfirm, ...dialog } = props
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
      dialog.onClose()
    })
  }

  return (
    <ActionDialog {...dialog} look="danger" busy={busy} action={id}>
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
    </ActionDialog>
  )
}
