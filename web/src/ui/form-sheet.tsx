import { type ReactNode, type RefObject, useRef } from 'react'
import type { GuardedOverlay } from '../lib/use-guarded-overlay.ts'
import { Button } from './button.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { Sheet } from './sheet.tsx'

type FormSheetProps = {
  title: string
  /** The id of the form among the children. */
  form: string
  busy: boolean
  overlay: GuardedOverlay
  saveButton?: RefObject<HTMLButtonElement | null>
  onReturnFocus: () => void
  children: ReactNode
}

/** A sheet with a form, which asks before unsaved changes are discarded. */
export function FormSheet({ title, form, busy, overlay, children, ...props }: FormSheetProps) {
  const ownButton = useRef<HTMLButtonElement>(null)
  const saveButton = props.saveButton ?? ownButton
  return (
    <Sheet
      hasEntry
      title={title}
      closeLabel="Chiudi la finestra"
      footer={
        <>
          <Button className="flex-1" onClick={overlay.leave}>
            Annulla
          </Button>
          <Button
            ref={saveButton}
            type="submit"
            form={form}
            look="primary"
            className="flex-1"
            inactive={busy}
          >
            {busy ? 'Salvataggio in corso…' : 'Salva'}
          </Button>
        </>
      }
      onClose={overlay.leave}
      onReturnFocus={props.onReturnFocus}
    >
      {children}
      {overlay.asks ? (
        <LeaveDialog
          title="Uscire senza salvare?"
          text="Ci sono modifiche non ancora salvate."
          stay="Continua a modificare"
          leave="Esci senza salvare"
          onStay={overlay.stay}
          onLeave={overlay.close}
          onReturnFocus={() => saveButton.current?.focus()}
        />
      ) : null}
    </Sheet>
  )
}
