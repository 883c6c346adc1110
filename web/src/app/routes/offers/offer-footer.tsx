import { Eraser } from 'lucide-react'
import type { RefObject } from 'react'
import { emptyDraft, sameDraft } from '../../../features/offers/form/offer-draft.ts'
import { changedId } from '../../../features/offers/form/offer-form-state.ts'
import { SaveRefusal } from '../../../features/offers/form/save-refusal.tsx'
import type { OfferFormControl } from '../../../features/offers/form/use-offer-form-state.ts'
import type { useOfferSaving } from '../../../features/offers/form/use-offer-saving.ts'
import type { OfferFormSlot } from '../../../features/offers/offer-form-slot.ts'
import { Button } from '../../../ui/button.tsx'
import { toastSuccess } from '../../../ui/toast.ts'

type OfferFooterProps = {
  slot: OfferFormSlot
  form: OfferFormControl
  saving: ReturnType<typeof useOfferSaving>
  saveButton: RefObject<HTMLButtonElement | null>
  onCancel: () => void
}

/** Buttons to save or cancel, always in view. */
export function OfferFooter({ slot, form, saving, saveButton, onCancel }: OfferFooterProps) {
  const { formState } = form
  const { busy, failure, save } = saving
  const isNew = changedId(formState) === null

  function clear() {
    form.startNew()
    if (formState.task.kind === 'copy') slot.onTask({ kind: 'new' })
    toastSuccess('Modulo svuotato', {
      about: 'offer-form',
      action: { label: 'Annulla', run: () => form.restore(formState) },
      long: true,
    })
  }

  return (
    <footer
      data-form-bar
      className="sticky bottom-0 z-10 -mx-1 flex flex-col gap-3 border-t border-line bg-surface px-1 py-3 pb-[max(12px,env(safe-area-inset-bottom))]"
    >
      {failure === null ? null : (
        <SaveRefusal
          key={failure.count}
          failure={failure}
          busy={busy}
          focusFallback={saveButton}
          onInactive={() => {
            form.change({ active: false })
            void save({ draft: { ...formState.draft, active: false } })
          }}
          onAsNew={() => {
            form.copyToNew()
            slot.onTask({ kind: 'new' })
          }}
        />
      )}
      <div className="flex flex-wrap items-center justify-end gap-2 max-sm:*:flex-1">
        {isNew ? (
          <Button inactive={busy || sameDraft(formState.draft, emptyDraft)} onClick={clear}>
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
          onClick={() => void save()}
        >
          {busy ? 'Salvataggio in corso…' : isNew ? 'Crea offerta' : 'Salva modifiche'}
        </Button>
      </div>
    </footer>
  )
}
