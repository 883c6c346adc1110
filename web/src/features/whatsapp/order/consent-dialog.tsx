import { useState } from 'react'
import { useAction } from '../../../lib/use-action.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { ActionDialog } from '../../../ui/action-dialog.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'

type ConsentDialogProps = ModalProps & {
  question: string
  onConsent: () => Promise<void>
}

/** What the staff ask the customer, and that they have agreed. */
export function ConsentDialog({ question, onConsent, onClose, onReturnFocus }: ConsentDialogProps) {
  const [agreed, setAgreed] = useState(false)
  const { busy, failure, clearFailure, run } = useAction()
  return (
    <ActionDialog
      title="Chiedi al cliente"
      confirm="Registra il consenso"
      confirming="Salvataggio in corso…"
      look="primary"
      busy={busy}
      notYet={!agreed}
      action={() => {
        clearFailure()
        void run(async () => {
          await onConsent()
          onClose()
        })
      }}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <blockquote className="rounded-control border border-line bg-sunken px-3.5 py-2.5 text-pretty">
        «{question}»
      </blockquote>
      <label className="flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          className="size-4.5 shrink-0 accent-accent"
          checked={agreed}
          onChange={({ target }) => setAgreed(target.checked)}
        />
        Il cliente ha risposto di sì
      </label>
      <FailureAlert failure={failure} />
    </ActionDialog>
  )
}
