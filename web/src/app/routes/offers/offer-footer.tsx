import { Eraser } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { useFocusFallback } from '../../../lib/use-focus-fallback.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import { emptyDraft, type OfferDraft, sameDraft } from './offer-draft.ts'
import type { OfferEditorState } from './use-offer-editor.ts'
import type { SaveFailure, useOfferSaving } from './use-offer-saving.ts'

type OfferFooterProps = {
  slot: OfferFormSlot
  editor: OfferEditorState
  draft: OfferDraft
  saving: ReturnType<typeof useOfferSaving>
  saveButton: RefObject<HTMLButtonElement | null>
  onInactive: () => void
  onCancel: () => void
}

/** Buttons to save or cancel, always in view. */
export function OfferFooter(props: OfferFooterProps) {
  const { slot, editor, draft, saving, saveButton, onInactive, onCancel } = props
  const { opened } = editor
  const { busy, outcome } = saving
  const isNew = opened.task.kind !== 'edit'

  function clear() {
    editor.startNew()
    if (opened.task.kind === 'copy') slot.onTask({ kind: 'new' })
    toastSuccess('Modulo svuotato', {
      about: 'offer-form',
      action: { label: 'Annulla', run: () => editor.restore({ ...opened, draft }) },
      long: true,
    })
  }

  return (
    <footer
      data-form-bar
      className="sticky bottom-0 z-10 -mx-1 flex flex-col gap-3 border-t border-line bg-surface px-1 py-3 pb-[max(12px,env(safe-area-inset-bottom))]"
    >
      {outcome.state === 'failed' ? (
        <SaveRefusal
          failure={outcome.failure}
          busy={busy}
          focusFallback={saveButton}
          onInactive={onInactive}
          onAsNew={() => {
            editor.copyToNew(draft)
            slot.onTask({ kind: 'new' })
          }}
        />
      ) : null}
      <div className="flex flex-wrap items-center justify-end gap-2 max-sm:*:flex-1">
        {isNew ? (
          <Button inactive={busy || sameDraft(draft, emptyDraft)} onClick={clear}>
            <Eraser aria-hidden />
            Svuota
          </Button>
        ) : null}
        {!isNew || slot.onClose ? (
          <Button inactive={busy} onClick={onCancel}>
            {isNew ? 'Chiudi' : 'Annulla'}
          </Button>
        ) : null}
        <Button
          ref={saveButton}
          look="primary"
          inactive={busy}
          aria-keyshortcuts="Control+Enter"
          onClick={() => void saving.save()}
        >
          {busy ? 'Salvataggio in corso…' : isNew ? 'Crea offerta' : 'Salva modifiche'}
        </Button>
      </div>
    </footer>
  )
}

type SaveRefusalProps = {
  failure: SaveFailure
  busy: boolean
  onInactive: () => void
  onAsNew: () => void
  focusFallback: RefObject<HTMLElement | null>
}

/** Why the offer was not saved, and how to proceed. */
function SaveRefusal({ failure, busy, onInactive, onAsNew, focusFallback }: SaveRefusalProps) {
  const place = useFocusFallback(focusFallback)
  const button = (label: string, run: () => void): ReactNode => (
    <Button size="small" inactive={busy} onClick={run}>
      {label}
    </Button>
  )
  const action =
    failure.code === 'offers.limit_reached'
      ? button('Salva come inattiva', onInactive)
      : failure.code === 'offers.not_found'
        ? button('Salva come nuova', onAsNew)
        : null
  return (
    <div ref={place}>
      <Alert tone="error" action={action}>
        <p className="font-medium">{failure.title}</p>
        <p>{failure.reason}</p>
      </Alert>
    </div>
  )
}
