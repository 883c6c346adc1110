import { useState } from 'react'
import { useAction } from '../lib/use-action.ts'
import type { ModalProps } from '../lib/use-opened.ts'
import { FailureAlert } from './failure-alert.tsx'
import { ActionSheet } from './form-sheet.tsx'

type TermsDialogProps = ModalProps & {
  title: string
  paragraphs: readonly string[]
  /** Of the text, where acceptances of it are kept. */
  version?: number
  /** @throws when it has failed: the dialog stays open and shows the error */
  onAccept: () => Promise<void>
}

/** What something means, which an owner reads and accepts before it is switched on. */
export function TermsDialog({ title, paragraphs, version, onAccept, ...modal }: TermsDialogProps) {
  const [read, setRead] = useState(false)
  const { busy, failure, run } = useAction()

  const accept = () => {
    void run(async () => {
      await onAccept()
      modal.onClose()
    })
  }

  return (
    <ActionSheet
      title={title}
      confirm="Accetto e attivo"
      confirming="Attivazione in corso…"
      busy={busy}
      notYet={!read}
      action={accept}
      other={{ label: 'Annulla', inactive: busy }}
      {...modal}
    >
      <div className="flex flex-col gap-4">
        {paragraphs.map((paragraph) => (
          <p key={paragraph} className="text-pretty">
            {paragraph}
          </p>
        ))}
        <label className="flex min-h-11 items-center gap-3 rounded-control border border-line px-3 py-2">
          <input
            type="checkbox"
            className="size-4.5 shrink-0 accent-accent"
            checked={read}
            onChange={({ target }) => setRead(target.checked)}
          />
          Ho letto e accetto per conto della farmacia
        </label>
        {version === undefined ? null : <p className="text-sm text-muted">Testo n. {version}</p>}
        <FailureAlert failure={failure} />
      </div>
    </ActionSheet>
  )
}
